import type { ExchangeHandler, Handlers } from '@tallyport/bus';
import type { authService, BudgetQuery, Caller, KeptContent, NewKey, ProviderUptimesQuery } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { databaseAway, type Manage, orUnavailable, type Secrets } from '@tallyport/management-server';
import { isOnlyAccount } from './accounts/accounts.ts';
import type { Announce } from './bus/announce.ts';
import { addDemoDay, type DemoDay } from './demo-data/add-demo-day.ts';
import { prepareDemo } from './demo-data/prepare-demo.ts';
import { removeDemo } from './demo-data/remove-demo.ts';
import type { AuthEvents } from './events.ts';
import { createKey, operator } from './keys/create-key.ts';
import { listKeys } from './keys/list-keys.ts';
import type { UseRecorder } from './keys/record-use.ts';
import { revokeKey } from './keys/revoke-key.ts';
import type { SessionCaller } from './playground/session-caller.ts';
import type { OpenedContents } from './contents/open-contents.ts';
import type { Preparation } from './prepare.ts';
import { answerOwn } from './ledger/answer-own.ts';
import { budgetsSpent } from './ledger/budgets-spent.ts';
import { missingUsage, type UsageName } from './ledger/missing-usage.ts';
import type { Ledger } from './ledger/keep-ledger.ts';
import { installationId } from './ledger/installation-id.ts';
import { ownKey } from './accounts/own-key.ts';
import { ownUsage } from './ledger/own-usage.ts';
import { loadGuardWebhooks } from './guard-webhooks/load-guard-webhooks.ts';
import { loadMcpServers } from './mcp-servers/load-mcp-servers.ts';
import { readUptimes } from './provider-history/read-uptimes.ts';
import { loadProviderKeys } from './provider-keys/load-provider-keys.ts';
import { linkForEmail } from './enrolment/link-for-email.ts';

/** Slightly less than callers wait. */
export const checkMs = 1_500;

interface HandlerTools {
  database: Database;
  secrets: Secrets;
  events: AuthEvents;
  preparation: Preparation;
  uses: UseRecorder;
  announce: Announce;
  ledger: Pick<Ledger, 'write'>;
  findCaller: (keyHash: string) => Promise<Caller | null>;
  /** The management API for services with pages. */
  manage: Manage;
  sessionCaller: SessionCaller;
  /** Answers HTTP requests; reports an absent database itself. */
  serveHttp: ExchangeHandler;
  contents: Pick<OpenedContents, 'allowed' | 'store'>;
}

interface OfAccount {
  accountId: string;
}

/** The bus operations of auth-svc. They throw `unavailable` until the database is prepared. */
export function authHandlers(tools: HandlerTools): Handlers<typeof authService.operations> {
  const { database, secrets, preparation, announce, ledger, manage, contents } = tools;
  const withDatabase = <Input, Output>(work: (input: Input) => Promise<Output>) => {
    return async (input: Input): Promise<Output> => {
      if (!preparation.done()) throw databaseAway();
      return orUnavailable(work)(input);
    };
  };
  return {
    ...callerHandlers(tools, withDatabase),
    createKey: withDatabase(async (newKey: NewKey) => {
      const created = await createKey(database, operator, newKey);
      announce.keyCreated(created.record.id);
      return created;
    }),
    listKeys: withDatabase(async () => ({ keys: await listKeys(database) })),
    revokeKey: withDatabase(async ({ id }: { id: string }) => {
      const hashes = await revokeKey(database, { id, actor: 'operator' });
      if (hashes === undefined) return { revoked: false };
      announce.keyRevoked(id, hashes);
      return { revoked: true };
    }),
    makePasswordLink: withDatabase(async ({ email }: { email: string }) => {
      const link = await linkForEmail(database, email.trim().toLowerCase());
      return { link: link === undefined ? null : { path: link.path, expiresAt: link.expiresAt.toISOString() } };
    }),
    prepareDemo: withDatabase(() => prepareDemo(database)),
    addDemoDay: withDatabase((day: DemoDay) => addDemoDay({ database, ledger, now: new Date() }, day)),
    removeDemo: withDatabase(() => removeDemo(database)),
    providerKeys: withDatabase(async ({ accountId }: { accountId: string }) => ({
      keys: await loadProviderKeys({ database, secrets }, accountId),
    })),
    mcpServers: withDatabase(async ({ accountId }: OfAccount) => ({ servers: await loadMcpServers(tools, accountId) })),
    isOnlyAccount: withDatabase(async ({ accountId }: OfAccount) => ({
      only: await isOnlyAccount(database, accountId),
    })),
    keepContents: withDatabase(async ({ contents: kept }: { contents: KeptContent[] }) => {
      await contents.store(kept);
      return {};
    }),
    guardWebhooks: withDatabase(async ({ accountId }: OfAccount) => ({
      webhooks: await loadGuardWebhooks(tools, accountId),
    })),
    ownUsage: answerOwn(withDatabase((principal) => ownUsage(database, principal, new Date()))),
    ownKey: answerOwn(withDatabase((principal) => ownKey(database, principal, new Date()))),
    budgetsSpent: withDatabase(async ({ asked }: { asked: BudgetQuery[] }) => ({
      spent: await budgetsSpent(database, asked),
    })),
    missingUsage: withDatabase(async ({ records }: { records: UsageName[] }) => ({
      ids: await missingUsage(database, records),
    })),
    manage: withDatabase(manage),
    serve: tools.serveHttp,
    installation: withDatabase(async () => ({ id: await installationId(database) })),
    providerUptimes: withDatabase((query: ProviderUptimesQuery) => readUptimes(database, query)),
    databaseStatus: () => database.check(checkMs),
  };
}

type WithDatabase = <Input, Output>(work: (input: Input) => Promise<Output>) => (input: Input) => Promise<Output>;

/** Who calls: with a key or token, or with the session of a browser. Both as this installation allows it. */
function callerHandlers(
  { events, uses, findCaller, sessionCaller, contents }: HandlerTools,
  withDatabase: WithDatabase,
): Pick<Handlers<typeof authService.operations>, 'authenticate' | 'sessionCaller'> {
  const lookUp = withDatabase(({ keyHash }: { keyHash: string }) => findCaller(keyHash));
  return {
    async authenticate(input) {
      const caller = await lookUp(input).catch((error: unknown) => {
        events.keyLookedUp('unavailable');
        throw error;
      });
      events.keyLookedUp(caller ? 'known' : 'unknown');
      if (caller) uses.used(caller.principal.keyId);
      return { caller: caller && contents.allowed(caller) };
    },
    async sessionCaller(session) {
      const { caller } = await withDatabase(sessionCaller)(session);
      if (session.form) uses.used(caller.principal.keyId);
      return { caller: contents.allowed(caller) };
    },
  };
}
