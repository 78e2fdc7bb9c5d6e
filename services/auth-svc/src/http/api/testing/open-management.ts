import { createServer } from 'node:http';
import { createClient, inProcessLink } from '@tallyport/bus';
import { authService, type NewKey } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { listen, stopServer } from '@tallyport/service-kit';
import { openMemoryStore } from '@tallyport/store';
import {
  createAccountTurns,
  createAttempts,
  createManage,
  createSecrets,
  managementApi,
} from '@tallyport/management-server';
import express from 'express';
import { openAlerts } from '../../../alerts/open-alerts.ts';
import { ensureDefaultAccount } from '../../../accounts/account.ts';
import { createInvitations } from '../../../accounts/accept-invitation.ts';
import { createAnnounce, noticesOf } from '../../../bus/announce.ts';
import { openContents } from '../../../contents/open-contents.ts';
import { createIdentify } from '../identify.ts';
import { createPageCallers } from '../page-caller.ts';
import { managementEndpoints } from '../management.ts';
import { authEvents } from '../../../events.ts';
import { passwordsOnly } from '../../../identity/document/read-identity.ts';
import { createRuleTrials } from '../../../guardrails/rule-trials.ts';
import { createKey, operator } from '../../../keys/create-key.ts';
import { createLedger } from '../../../ledger/keep-ledger.ts';
import { silentLedger } from '../../../ledger/testing/silent-ledger.ts';
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
  const { secrets, ...others } = surroundings(database);
  const sessions = createSessions({ database, passwords, attempts, announce, secrets });
  const people = { database, passwords, attempts, sessions, announce };
  const failures: unknown[] = [];
  const endpoints = managementEndpoints({ ...others, secrets, database, sessions, attempts, announce });
  const turns = createAccountTurns();
  const app = express().set('trust proxy', true);
  const identify = createIdentify({ database, sessions, attempts });
  app.use(
    '/api/v1',
    managementApi({ endpoints, turns, identify, onFailure: (error) => failures.push(error.cause ?? error) }),
  );
  const server = createServer(app);
  const address = `${await listen(server, { host: '127.0.0.1', port: 0 })}/api/v1`;

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
    manage: createManage({
      endpoints,
      turns,
      callerOf: createPageCallers({ database, sessions, firstTime: createSentForms(store) }).ofRequest,
    }),
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

function surroundings(database: Database) {
  const secrets = createSecrets(testKit().config);
  return {
    publicUrl: () => publicUrl,
    secrets,
    alerts: openAlerts(testKit(), { database, secrets, ready() {} }).tools,
    contents: openContents({ database, secrets, logContent: false }),
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
