import { createClient, type ExchangeHandler, inProcessLink, serve } from '@tallyport/bus';
import { authService, ledgerService, type ManageAnswer, type ManageRequest, service } from '@tallyport/contracts';
import { ledgerPart, managementOperations } from '@tallyport/management';
import { expect, onTestFinished, test } from 'vitest';
import { passOnCalls, passOnManage, passOnServe } from './passed-on.ts';

const says = (name: string): ExchangeHandler => {
  return async ({ head }) => ({
    head: { status: 200, headers: {} },
    body: Buffer.from(`${name} ${head.http?.url ?? ''}`),
  });
};

/** What replicas of the release before see: a ledger-svc behind auth-svc. */
async function open() {
  const link = inProcessLink();
  onTestFinished(() => link.close());
  const answer: ManageAnswer = { output: 'of the ledger', setCookie: [] };
  const { serve: exchange, manage, ...operations } = ledgerService.operations;
  const { budgetsSpent, keepContents, missingUsage, ownUsage, providerUptimes } = operations;
  const calls = { budgetsSpent, keepContents, missingUsage, ownUsage, providerUptimes };
  await serve(link, service(ledgerService.name, { serve: exchange, manage, ...calls }), {
    serve: says('ledger'),
    manage: () => answer,
    ownUsage: says('usage'),
    budgetsSpent: ({ asked }) => ({ spent: asked.map(() => ({ before: '1', hours: [] })) }),
    keepContents: () => ({}),
    missingUsage: ({ records }) => ({ ids: records.map(({ id }) => id) }),
    providerUptimes: () => ({ providers: [], incidents: [] }),
  });
  const ledger = createClient(link, ledgerService);
  const own: ManageAnswer = { output: 'of auth-svc', setCookie: [] };
  const auth = { serve: authService.operations.serve, manage: authService.operations.manage, ...calls };
  await serve(link, service(authService.name, auth), {
    ...passOnCalls(ledger),
    serve: passOnServe(ledger, says('auth')),
    manage: passOnManage(ledger, async () => own),
  });
  return createClient(link, authService);
}

const head = { requestId: 'r', timeoutMs: 1_000, headers: {} };
const http = (url: string) => ({ method: 'GET', url, address: '192.0.2.1', publicOrigin: 'https://gateway.example' });

test('auth-svc passes the requests and operations of the ledger on, and answers the others itself', async () => {
  const client = await open();
  const served = async (url: string): Promise<string> => {
    const { body } = await client.serve({ head: { ...head, http: http(url) }, body: new Uint8Array() });
    return Buffer.from(await body.bytes(1_000)).toString();
  };
  const byLedger = [
    ...ledgerPart.paths.map((path) => `/api/v1${path.replaceAll(/\{\w+\}/g, 'an-id')}`),
    '/api/v1/usage?from=2026-11-01',
    '/api/v1/usage/',
    '/alert-addresses/token',
  ];
  for (const url of byLedger) expect(await served(url)).toBe(`ledger ${url}`);
  for (const url of ['/api/v1/keys', '/api/v1/usage/nothing', '/api/v1/account', '/sign-in', '/oauth/token'])
    expect(await served(url)).toBe(`auth ${url}`);

  const asked = async (operation: string): Promise<unknown> => {
    const request: ManageRequest = { operation, input: {}, cookie: '', address: '', publicOrigin: 'https://a.example' };
    return (await client.manage(request)).output;
  };
  expect([await asked('readUsage'), await asked('listAlerts'), await asked('listKeys')]).toEqual([
    'of the ledger',
    'of the ledger',
    'of auth-svc',
  ]);
});

test('auth-svc passes the calls of dispatching services and edges on', async () => {
  const client = await open();
  const [budget, record] = [
    { scope: 'key' as const, id: 'k', hour: 'h' },
    { id: 'use_1', at: '2026-11-27T00:00:00.000Z' },
  ];
  expect(await client.budgetsSpent({ asked: [budget] })).toEqual({ spent: [{ before: '1', hours: [] }] });
  expect(await client.missingUsage({ records: [record] })).toEqual({ ids: ['use_1'] });
  expect(await client.keepContents({ contents: [] })).toEqual({});
  expect(await client.providerUptimes({ days: 1, incidentDays: 1 })).toEqual({ providers: [], incidents: [] });
  const { body } = await client.ownUsage({ head, body: new Uint8Array() });
  expect(Buffer.from(await body.bytes(1_000)).toString()).toBe('usage ');
});

test('no path of the ledger is one of auth-svc as well', () => {
  const others = Object.values(managementOperations).filter(({ path }) => !ledgerPart.paths.includes(path));
  const matches = (path: string): boolean => ledgerPart.paths.some((each) => pattern(each).test(path));
  expect(others.map(({ path }) => path).filter(matches)).toEqual([]);
});

const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
