import { createClient, type Handlers, type Link, type Listener, serve } from '@switchyard/bus';
import { authService, type Caller, GatewayError, type NewKey } from '@switchyard/contracts';
import { type Database, isUnavailable } from '@switchyard/database';
import type { Kit, Part } from '@switchyard/service-kit';
import { authenticate } from './keys/authenticate.ts';
import type { AuthConfig } from './config.ts';
import { createKey, operator } from './keys/create-key.ts';
import { authEvents, type AuthEvents } from './events.ts';
import { listKeys } from './keys/list-keys.ts';
import { openWeb, type WebPlace } from './open-web.ts';
import { createPreparation, type Preparation } from './prepare.ts';
import { createUseRecorder, type UseRecorder } from './keys/record-use.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { loadProviderKeys } from './provider-keys/load-provider-keys.ts';
import { createSecrets, type Secrets } from './secrets/secrets.ts';

export { type AuthConfig, authConfig, authWebConfig } from './config.ts';
export { keySocket } from './commands/key-socket.ts';
export { ensureLocalKey, type LocalKey } from './keys/local-key.ts';
export { openConfiguredDatabase } from './open-database.ts';

export interface AuthNeeds {
  link: Link;
  database: Database;
  /** Where pages, the management API and OAuth are served; absent where nobody is to visit. */
  web?: WebPlace;
}

export interface AuthModule extends Part {
  /** Where it listens for what is HTTP by nature, once it has started. */
  address(): string;
}

/** Accounts and keys. Starts while the database is away and answers `unavailable` until it is there. */
export function authModule(kit: Kit<AuthConfig>, { link, database, web: place }: AuthNeeds): AuthModule {
  const events = authEvents(kit);
  const { keyRevoked } = createClient(link, authService);
  const tellRevoked = (keyHash: string) => keyRevoked.publish({ keyHash });
  const secrets = createSecrets(kit.config);
  const preparation = createPreparation({
    database,
    secrets,
    bootstrapKey: kit.config.BOOTSTRAP_API_KEY,
    onBootstrap({ change, replacedHash }) {
      if (change !== undefined) events.bootstrapKeyChanged(change);
      if (replacedHash !== undefined) tellRevoked(replacedHash);
    },
    onAwaited: events.databaseAwaited,
    onFailed: kit.fail,
  });
  const uses = createUseRecorder(database, events.usesNotRecorded);
  const web =
    place &&
    openWeb(place, {
      ...{ database, secrets, events, onTokenEnded: tellRevoked },
      ready() {
        if (!preparation.done()) throw databaseAway();
      },
    });
  const findCaller = async (keyHash: string) =>
    (await authenticate(database, keyHash)) ?? (await web?.oauth.findCaller(keyHash)) ?? null;
  const handlers = authHandlers({ database, secrets, events, preparation, uses, tellRevoked, findCaller });
  let listener: Listener | undefined;
  let address = '';

  return {
    name: 'auth',
    async start() {
      await preparation.start();
      listener = await serve(link, authService, handlers);
      address = (await web?.start()) ?? '';
    },
    address: () => address,
    async check() {
      const { connected, error } = await database.check(checkMs);
      if (!connected) return { ok: false, message: `The database is away: ${error}` };
      return preparation.done() ? { ok: true } : { ok: false, message: 'The database is being prepared.' };
    },
    async stop(deadlineMs) {
      preparation.stop();
      await Promise.all([listener?.drain(deadlineMs), web?.stop(deadlineMs)]);
      await uses.stop();
    },
  };
}

/** A little less than those who ask will wait. */
const checkMs = 1_500;

interface HandlerTools {
  database: Database;
  secrets: Secrets;
  events: AuthEvents;
  preparation: Preparation;
  uses: UseRecorder;
  tellRevoked: (keyHash: string) => void;
  findCaller: (keyHash: string) => Promise<Caller | null>;
}

function authHandlers(tools: HandlerTools): Handlers<typeof authService.operations> {
  const { database, secrets, events, preparation, uses, tellRevoked, findCaller } = tools;
  const withDatabase = <Input, Output>(work: (input: Input) => Promise<Output>) => {
    return async (input: Input): Promise<Output> => {
      if (!preparation.done()) throw databaseAway();
      return work(input).catch(asGatewayError);
    };
  };
  const lookUp = withDatabase(({ keyHash }: { keyHash: string }) => findCaller(keyHash));
  return {
    async authenticate(input) {
      const caller = await lookUp(input).catch((error: unknown) => {
        events.keyLookedUp('unavailable');
        throw error;
      });
      events.keyLookedUp(caller ? 'known' : 'unknown');
      if (caller) uses.used(caller.principal.keyId);
      return { caller };
    },
    createKey: withDatabase(async (newKey: NewKey) => {
      const created = await createKey(database, operator, newKey);
      events.keyCreated(created.record.id);
      return created;
    }),
    listKeys: withDatabase(async () => ({ keys: await listKeys(database) })),
    revokeKey: withDatabase(async ({ id }: { id: string }) => {
      const hashes = await revokeKey(database, { id, actor: 'operator' });
      if (hashes === undefined) return { revoked: false };
      events.keyRevoked(id);
      hashes.forEach(tellRevoked);
      return { revoked: true };
    }),
    providerKeys: withDatabase(async ({ accountId }: { accountId: string }) => ({
      keys: await loadProviderKeys({ database, secrets }, accountId),
    })),
    databaseStatus: () => database.check(checkMs),
  };
}

function asGatewayError(error: unknown): never {
  throw isUnavailable(error) ? databaseAway(error) : error;
}

/** Never "unknown key": the caller's key may be good, and will be asked for again. */
const databaseAway = (cause?: unknown): GatewayError =>
  new GatewayError(
    'unavailable',
    'Keys cannot be checked right now because the database is away. Try again in a moment.',
    {
      retryAfterMs: 1_000,
      cause,
    },
  );
