import { createServer } from 'node:http';
import { createClient, inProcessLink, serve } from '@tallyport/bus';
import { authService, type GatewayError, type ManageRequest, type NewKey, service } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { ledgerPart } from '@tallyport/management';
import { listen, stopServer } from '@tallyport/service-kit';
import { openMemoryStore } from '@tallyport/store';
import {
  callersBy,
  createAccountTurns,
  createAttempts,
  createManage,
  createSecrets,
  ensureDefaultAccount,
  managementApi,
  type Secrets,
} from '@tallyport/management-server';
import express, { type Express, type RequestHandler } from 'express';
import { openAlerts } from '../../../../../ledger-svc/src/alerts/open-alerts.ts';
import { createInvitations } from '../../../accounts/accept-invitation.ts';
import { createAnnounce, noticesOf } from '../../../bus/announce.ts';
import { openContents } from '../../../../../ledger-svc/src/contents/open-contents.ts';
import { createIdentify } from '../identify.ts';
import { createPageCallers } from '../page-caller.ts';
import { managementEndpoints } from '../management.ts';
import { contentLogRules } from '../../../callers/content-log-setting.ts';
import { authEvents } from '../../../events.ts';
import { passwordsOnly } from '../../../identity/document/read-identity.ts';
import { createRuleTrials } from '../../../guardrails/rule-trials.ts';
import { createKey, operator } from '../../../keys/create-key.ts';
import { createLedger } from '../../../../../ledger-svc/src/usage/keep-ledger.ts';
import { ledgerEndpoints, type LedgerEndpointTools } from '../../../../../ledger-svc/src/http/management.ts';
import { createComparisonTurns } from '../../../../../ledger-svc/src/reconcile/comparison-turns.ts';
import { ledgerKit } from '../../../../../ledger-svc/src/testing/open-ledger.ts';
import { silentLedger } from '../../../../../ledger-svc/src/usage/testing/silent-ledger.ts';
import { createSentForms } from '../../../sessions/sent-forms.ts';
import { createSessions } from '../../../sessions/sessions.ts';
import { testKit } from '../../../testing/open-auth.ts';
import { createFirstOwner } from '../../../enrolment/first-owner.ts';
import { createPasswords } from '../../../users/passwords.ts';
import { createPasswordLinks } from '../../../enrolment/use-password-link.ts';

export interface ApiCallOptions {
  key?: string;
  /** The `Cookie` header. */
  cookie?: string;
  csrf?: string;
  account?: string;
  /** The client's address, as edge saw it. */
  from?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Answer {
  status: number;
  body: any; // oxlint-disable-line typescript/no-explicit-any -- tests compare it with what they expect
  headers: Headers;
}

export type OpenedManagement = Awaited<ReturnType<typeof openManagement>>;

export const publicUrl = 'http://gateway.test';

const { identify: identifyCall, pageCaller } = authService.operations;
const callerOperations = { identify: identifyCall, pageCaller };

/** Starts the management API on a real port, as edge reaches it, with fast password hashing. */
export async function openManagement(database: Database) {
  await database.migrate();
  await ensureDefaultAccount(database);
  const link = inProcessLink();
  const client = createClient(link, authService);
  const notices = { keys: [] as string[], accounts: [] as string[] };
  client.keyRevoked.subscribe(({ keyHash }) => notices.keys.push(keyHash));
  client.accountChanged.subscribe(({ accountId }) => notices.accounts.push(accountId));

  const passwords = createPasswords({ cost: { log2N: 10, r: 8, p: 1 } });
  const store = openMemoryStore();
  const attempts = createAttempts(store);
  const announce = createAnnounce(noticesOf(client), authEvents(testKit()));
  const { secrets, ...others } = surroundings();
  const sessions = createSessions({ database, passwords, attempts, announce, secrets });
  const people = { database, passwords, attempts, sessions, announce };
  const failures: unknown[] = [];
  const tools = { ...others, secrets, database, sessions, attempts, announce };
  const endpoints = managementEndpoints(tools);
  const turns = createAccountTurns();
  const identify = createIdentify({ database, sessions, attempts });
  const pageCallers = createPageCallers({ database, sessions, firstTime: createSentForms(store) });
  const ofLedger = { endpoints: endpointsOfLedger(tools), turns: createAccountTurns(), ...callersBy(client) };
  await serve(link, service(authService.name, callerOperations), {
    identify: async ({ publicOrigin, ...credentials }) => ({
      caller: (await identify(credentials, publicOrigin)) ?? null,
    }),
    pageCaller: async ({ changes, ...session }) => ({ caller: await pageCallers.inAccount(session, changes) }),
  });
  const onFailure = (error: GatewayError): unknown => failures.push(error.cause ?? error);
  const own = managementApi({ endpoints, turns, identify, onFailure });
  const app = inFrontOf(own, managementApi({ ...ofLedger, onFailure }));
  const server = createServer(app);
  const address = `${await listen(server, { host: '127.0.0.1', port: 0 })}/api/v1`;

  const manageOwn = createManage({ endpoints, turns, callerOf: pageCallers.ofRequest });
  const manageLedger = createManage(ofLedger);
  return {
    address,
    database,
    sessions,
    notices,
    failures,
    /** Keeps records of any age. */
    ledger: createLedger(database, { retentionDays: 36_500, events: silentLedger }),
    firstOwner: createFirstOwner(people),
    invitations: createInvitations(people),
    passwordLinks: createPasswordLinks(people),
    manage: (request: ManageRequest) => (ledgerPart.has(request.operation) ? manageLedger : manageOwn)(request),
    ask: (method: string, path: string, options: ApiCallOptions = {}) => ask(address + path, method, options),
    /** Creates an admin key of the default account, unless `wanted` says otherwise. */
    makeKey: async (wanted: Partial<NewKey> & { accountId?: string } = {}) => {
      const { accountId = operator.accountId, ...newKey } = wanted;
      return createKey(database, { ...operator, accountId }, { name: 'of a test', ...newKey });
    },
    async close() {
      await stopServer(server, 1_000);
      await link.close();
    },
  };
}

const endpointsOfLedger = ({
  database,
  secrets,
  ...tools
}: Omit<LedgerEndpointTools, 'alerts' | 'contents' | 'reconciling'> & { secrets: Secrets }) =>
  ledgerEndpoints({
    ...tools,
    database,
    alerts: openAlerts(ledgerKit(), { database, secrets, publicUrl: () => publicUrl, ready() {} }).tools,
    contents: openContents({ database, secrets }),
    reconciling: { turns: createComparisonTurns(openMemoryStore()), baseUrlOf: () => undefined },
  });

/** Sends the requests of the ledger to its router, as edge does. */
const inFrontOf = (own: RequestHandler, ledger: RequestHandler): Express =>
  express()
    .set('trust proxy', true)
    .use('/api/v1', (request, response, next) =>
      (ledgerPart.matches(request.path) ? ledger : own)(request, response, next),
    );

function surroundings() {
  const secrets = createSecrets(testKit().config);
  return {
    publicUrl: () => publicUrl,
    secrets,
    contentLog: contentLogRules(false, secrets),
    catalogue: async () => ({ version: 'empty', models: [] }),
    callWithKey: () => Promise.reject(new Error('There is no chat-svc.')),
    targetUrls: { allowLocal: false },
    testGuardWebhook: () => Promise.reject(new Error('not here')),
    identity: () => passwordsOnly,
    testMcpServer: () => Promise.reject(new Error('not here')),
    // Its threads start when a trial takes long.
    ruleTrials: createRuleTrials(),
  };
}

async function ask(url: string, method: string, options: ApiCallOptions): Promise<Answer> {
  const { key, cookie, csrf, account, from, body } = options;
  const headers: Record<string, string> = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(cookie !== undefined && { cookie }),
    ...(csrf !== undefined && { 'x-csrf-token': csrf }),
    ...(account !== undefined && { 'x-tallyport-account': account }),
    'x-forwarded-host': new URL(publicUrl).host,
    'x-forwarded-proto': 'http',
    ...(from !== undefined && { 'x-forwarded-for': from }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...options.headers,
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body: text }) });
  const answer = await response.text();
  return { status: response.status, body: answer === '' ? undefined : JSON.parse(answer), headers: response.headers };
}
