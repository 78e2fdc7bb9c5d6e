import type { ExchangeHandler, Handlers } from '@tallyport/bus';
import type { ApiCredentials, authService, BrowserSession, BudgetQuery, Caller, NewKey } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import {
  answerOwn,
  checkMs,
  type Identify,
  type Manage,
  type Secrets,
  type WhenReady,
} from '@tallyport/management-server';
import { isOnlyAccount } from './accounts/accounts.ts';
import { installationId } from './accounts/installation-id.ts';
import type { Announce } from './bus/announce.ts';
import type { AuthEvents } from './events.ts';
import { callerOfKey } from './keys/authenticate.ts';
import { createKey, operator } from './keys/create-key.ts';
import { listKeys } from './keys/list-keys.ts';
import type { UseRecorder } from './keys/record-use.ts';
import { revokeKey } from './keys/revoke-key.ts';
import type { SessionCaller } from './playground/session-caller.ts';
import { ownKey } from './accounts/own-key.ts';
import { loadGuardWebhooks } from './guard-webhooks/load-guard-webhooks.ts';
import { loadMcpServers } from './mcp-servers/load-mcp-servers.ts';
import { loadProviderKeys } from './provider-keys/load-provider-keys.ts';
import { loadRoutes } from './routes/list-routes.ts';
import { linkForEmail } from './enrolment/link-for-email.ts';
import type { ContentLogRules } from './callers/content-log-setting.ts';
import type { PageCallers } from './http/api/page-caller.ts';
import { type LedgerClient, passOnCalls, passOnManage, passOnServe } from './passed-on.ts';

interface HandlerTools {
  database: Database;
  secrets: Secrets;
  events: AuthEvents;
  whenReady: WhenReady;
  uses: UseRecorder;
  announce: Announce;
  ledger: LedgerClient;
  findCaller: (keyHash: string) => Promise<Caller | null>;
  /** The management API for services with pages. */
  manage: Manage;
  identify: Identify;
  pageCaller: PageCallers['inAccount'];
  sessionCaller: SessionCaller;
  /** Answers HTTP requests; reports an absent database itself. */
  serveHttp: ExchangeHandler;
  contentLog: Pick<ContentLogRules, 'allowed'>;
}

interface OfAccount {
  accountId: string;
}

/** The bus operations of auth-svc. They throw `unavailable` until the database is prepared. */
export function authHandlers(tools: HandlerTools): Handlers<typeof authService.operations> {
  const { database, secrets, whenReady, announce, ledger } = tools;
  const spentOf = async (asked: BudgetQuery[]) => (await ledger.budgetsSpent({ asked })).spent;
  return {
    ...callerHandlers(tools),
    ...passOnCalls(ledger),
    createKey: whenReady(async (newKey: NewKey) => {
      const created = await createKey(database, operator, newKey);
      announce.keyCreated(created.record.id);
      return created;
    }),
    listKeys: whenReady(async () => ({ keys: await listKeys(database) })),
    revokeKey: whenReady(async ({ id }: { id: string }) => {
      const hashes = await revokeKey(database, { id, actor: 'operator' });
      if (hashes === undefined) return { revoked: false };
      announce.keyRevoked(id, hashes);
      return { revoked: true };
    }),
    makePasswordLink: whenReady(async ({ email }: { email: string }) => {
      const link = await linkForEmail(database, email.trim().toLowerCase());
      return { link: link === undefined ? null : { path: link.path, expiresAt: link.expiresAt.toISOString() } };
    }),
    providerKeys: whenReady(async ({ accountId }: { accountId: string }) => ({
      keys: await loadProviderKeys({ database, secrets }, accountId),
    })),
    mcpServers: whenReady(async ({ accountId }: OfAccount) => ({ servers: await loadMcpServers(tools, accountId) })),
    routes: whenReady(async ({ accountId }: OfAccount) => ({ routes: await loadRoutes(database, accountId) })),
    isOnlyAccount: whenReady(async ({ accountId }: OfAccount) => ({
      only: await isOnlyAccount(database, accountId),
    })),
    guardWebhooks: whenReady(async ({ accountId }: OfAccount) => ({
      webhooks: await loadGuardWebhooks(tools, accountId),
    })),
    ownKey: answerOwn(whenReady((principal) => ownKey({ database, spentOf }, principal, new Date()))),
    manage: passOnManage(ledger, whenReady(tools.manage)),
    serve: passOnServe(ledger, tools.serveHttp),
    installation: whenReady(async () => ({ id: await installationId(database) })),
    databaseStatus: () => database.check(checkMs),
  };
}

/** Who calls: with a key or token, or with the session of a browser. Both as this installation allows it. */
function callerHandlers({
  events,
  uses,
  findCaller,
  identify,
  pageCaller,
  sessionCaller,
  contentLog,
  whenReady,
  database,
}: HandlerTools): Pick<
  Handlers<typeof authService.operations>,
  'authenticate' | 'callerOfKey' | 'identify' | 'pageCaller' | 'sessionCaller'
> {
  const lookUp = whenReady(({ keyHash }: { keyHash: string }) => findCaller(keyHash));
  return {
    async authenticate(input) {
      const caller = await lookUp(input).catch((error: unknown) => {
        events.keyLookedUp('unavailable');
        throw error;
      });
      events.keyLookedUp(caller ? 'known' : 'unknown');
      if (caller) uses.used(caller.principal.keyId);
      return { caller: caller && contentLog.allowed(caller) };
    },
    callerOfKey: whenReady(async ({ keyId }: { keyId: string }) => {
      const caller = await callerOfKey(database, keyId);
      return { caller: caller && contentLog.allowed(caller) };
    }),
    identify: whenReady(async ({ publicOrigin, ...credentials }: ApiCredentials & { publicOrigin: string }) => ({
      caller: (await identify(credentials, publicOrigin)) ?? null,
    })),
    pageCaller: whenReady(async ({ changes, ...session }: BrowserSession & { changes: boolean }) => ({
      caller: await pageCaller(session, changes),
    })),
    async sessionCaller(session) {
      const { caller } = await whenReady(sessionCaller)(session);
      if (session.form) uses.used(caller.principal.keyId);
      return { caller: contentLog.allowed(caller) };
    },
  };
}
