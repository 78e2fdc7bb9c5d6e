import { createClient, type Link, type Listener, serve } from '@tallyport/bus';
import {
  authService,
  catalogService,
  chatService,
  GatewayError,
  ledgerService,
  mcpService,
  type ProviderKeyTest,
} from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { targetRules } from '@tallyport/outbound';
import {
  createPlannedChanges,
  createPreparation,
  createSecrets,
  type Preparation,
  type Secrets,
} from '@tallyport/management-server';
import type { Kit, Part } from '@tallyport/service-kit';
import { type Announce, createAnnounce, noticesOf } from './bus/announce.ts';
import { contentLogRules } from './callers/content-log-setting.ts';
import { type AuthConfig, bootstrapAdmin } from './config.ts';
import { authenticate } from './keys/authenticate.ts';
import { authEvents, type AuthEvents } from './events.ts';
import { accountsOfWorkloads } from './identity/workload/workloads.ts';
import { createIdentitySource, type IdentitySource } from './identity/document/identity-source.ts';
import { openWeb, type WebOptions } from './http/open-web.ts';
import { prepareDatabase } from './prepare.ts';
import { authHandlers } from './handlers.ts';
import { openGatewayConfig } from './gateway-config/open-gateway-config.ts';
import { recordWebhookStates } from './guard-webhooks/record-webhook-state.ts';
import { createUseRecorder } from './keys/record-use.ts';

export { authConfig, authWebConfig } from './config.ts';
export { commandSocket } from './control/command-socket.ts';
export { oauthClientRules } from './oauth/config.ts';
export { ensureLocalKey } from './keys/local-key.ts';

interface AuthTools {
  link: Link;
  database: Database;
  /** Pages, the management API and OAuth; absent without web access. */
  web?: WebOptions;
}

interface AuthModule extends Part {
  /** The path that creates the first owner, while there is none. */
  setupPath(): string | undefined;
}

/**
 * The module for accounts and keys. It starts without its database and throws `unavailable` until the database is
 * reachable.
 */
export function authModule(kit: Kit<AuthConfig>, { link, database, web: place }: AuthTools): AuthModule {
  const events = authEvents(kit);
  const client = createClient(link, authService);
  const announce = createAnnounce(noticesOf(client), events);
  const secrets = createSecrets(kit.config);
  const contentLog = contentLogRules(kit.config.LOG_CONTENT, secrets);
  const identity = identitySource(kit, events, announce);
  let setupPath: string | undefined;
  function onSetupLink(path: string): void {
    setupPath = path;
    if (!place?.showsSetupLink) events.firstOwnerAwaited(`${place?.publicUrl()}${path}`);
  }
  const stopStates = recordWebhookStates(client.guardWebhookState, database, events.webhookStateNotRecorded);
  const parts = { database, secrets, contentLog, events, announce };
  const { ready, whenReady, ...preparation } = preparationOf(kit, { ...parts, onSetupLink: place && onSetupLink });
  const uses = createUseRecorder(database, events.usesNotRecorded);
  const planned = createPlannedChanges({ database, isShared: kit.config.DATABASE_URL !== undefined });
  const web =
    place &&
    openWeb(place, {
      ...parts,
      planned,
      targetUrls: targetRules(kit.config),
      ...otherServices(link),
      ready,
      identity: identity.current,
    });
  const gatewayConfig = openGatewayConfig(kit, { planned, web, ready });
  const findCaller = async (keyHash: string) =>
    (await authenticate(database, keyHash)) ?? (await web?.findCaller(keyHash)) ?? null;
  const { serve: serveHttp, ...callers } = web ?? noWeb;
  const ledger = createClient(link, ledgerService);
  const handlers = authHandlers({ ...parts, ...callers, whenReady, uses, ledger, findCaller, serveHttp });
  let listener: Listener | undefined;

  return {
    name: 'auth',
    async start() {
      await identity.start();
      await preparation.start();
      listener = await serve(link, authService, handlers);
      web?.start();
      gatewayConfig?.start();
    },
    setupPath: () => setupPath,
    check: preparation.check,
    async stop(deadlineMs) {
      for (const stop of [stopStates, identity.stop, preparation.stop]) stop();
      await gatewayConfig?.stop();
      await Promise.all([listener?.drain(deadlineMs), web?.stop()]);
      await uses.stop();
    },
  };
}

/** A little more than chat-svc takes at most. */
const keyTestMs = 20_000;

interface OfAccount {
  accountId: string;
  id: string;
}

/** What the management API asks other services for. */
const otherServices = (link: Link) => ({
  catalogue: () => createClient(link, catalogService).snapshot({}),
  callWithKey: (test: ProviderKeyTest) =>
    createClient(link, chatService).testProviderKey(test, { timeoutMs: keyTestMs }),
  testGuardWebhook: (of: OfAccount) => createClient(link, chatService).testGuardWebhook(of, { timeoutMs: testMs }),
  testMcpServer: (of: OfAccount) => createClient(link, mcpService).testServer(of, { timeoutMs: testMs }),
});

/** A little more than mcp-svc waits for a server, and chat-svc for a webhook. */
const testMs = 13_000;

const withoutWeb = (): Promise<never> =>
  Promise.reject(new GatewayError('unavailable', 'This process serves no sessions and no pages. Start auth-svc.'));

const noWeb = {
  manage: withoutWeb,
  identify: withoutWeb,
  pageCaller: withoutWeb,
  sessionCaller: withoutWeb,
  serve: withoutWeb,
};

/** Callers by keys of workloads are looked up again when the rules have changed. */
function identitySource({ config, fail }: Kit<AuthConfig>, events: AuthEvents, announce: Announce): IdentitySource {
  return createIdentitySource({
    file: config.IDENTITY_CONFIG,
    events,
    onChange(before, after) {
      for (const account of accountsOfWorkloads(before, after)) announce.accountChanged(account);
    },
    fail,
  });
}

interface PreparationTools {
  database: Database;
  secrets: Secrets;
  events: AuthEvents;
  announce: Announce;
  /** Absent without web access: then there is no link that creates the first owner. */
  onSetupLink: ((path: string) => void) | undefined;
}

const preparationOf = ({ config, fail }: Kit<AuthConfig>, tools: PreparationTools): Preparation =>
  createPreparation({
    database: tools.database,
    prepare: () =>
      prepareDatabase({
        database: tools.database,
        secrets: tools.secrets,
        bootstrapKey: config.BOOTSTRAP_API_KEY,
        onBootstrap({ change, replacedHash }) {
          if (change !== undefined) tools.events.bootstrapKeyChanged(change);
          if (replacedHash !== undefined) tools.announce.keysEnded([replacedHash]);
        },
        firstOwner: tools.onSetupLink && {
          admin: bootstrapAdmin(config),
          onMade: tools.events.firstOwnerMade,
          onLink: tools.onSetupLink,
        },
      }),
    onAwaited: tools.events.databaseAwaited,
    onFailed: fail,
  });
