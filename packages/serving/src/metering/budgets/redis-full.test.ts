import { GatewayError, type Principal } from '@tallyport/contracts';
import { openStore, type Store } from '@tallyport/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstAnswer } from '../../../../../tests/support/probe.ts';
import { startRedis, type TestServer } from '../../../../../tests/support/servers.ts';
import { type Budgets, createBudgets } from './budgets.ts';

const dollar = 1_000_000_000;
const principal: Principal = {
  accountId: 'account',
  keyId: 'key',
  budgets: { key: { amount: '1', period: 'month' } },
};

let redis: TestServer;
let store: Store;
const opened: Budgets[] = [];
beforeAll(async () => {
  redis = await startRedis();
  store = await openStore({ url: redis.url, prefix: 'full:' });
});
afterAll(async () => {
  await Promise.all(opened.map((budgets) => budgets.stop()));
  await store.close();
  await redis.stop();
});

function open(whenAway: 'allow' | 'deny') {
  const reported: string[] = [];
  const budgets = createBudgets({
    store,
    replicas: { count: () => 1 },
    whenAway,
    waitMs: 0,
    readLedger: async (queries) => queries.map(() => ({ before: '0', hours: [] })),
    onDecision: (result) => reported.push(result),
    onNotCompared() {},
  });
  opened.push(budgets);
  const reserve = async (dollars: number) =>
    budgets.reserve({ principal, wanted: () => dollars * dollar, ttlMs: 60_000 });
  return { reported, reserve };
}

function setMaxMemory(bytes: number): Promise<unknown> {
  const { hostname, port } = new URL(redis.url);
  return firstAnswer(hostname, Number(port), `CONFIG SET maxmemory ${bytes}\r\n`);
}

test('a full Redis counts as unavailable: spending is remembered and reported when there is room', async () => {
  const [allowing, denying] = [open('allow'), open('deny')];
  const spent = await allowing.reserve(0.75);
  if (spent instanceof GatewayError || spent === undefined) throw new Error('nothing was reserved');
  spent.settle(0.75 * dollar, new Date());
  expect(await denying.reserve(0.5)).toMatchObject({ code: 'budget_exceeded' });

  await setMaxMemory(1);
  expect(await denying.reserve(0.1)).toMatchObject({ code: 'unavailable' });
  expect(await allowing.reserve(0.1)).not.toBeInstanceOf(GatewayError);
  expect(await allowing.reserve(0.2)).toMatchObject({ code: 'budget_exceeded' });
  expect(denying.reported).toEqual(['denied', 'unavailable']);

  await setMaxMemory(0);
  const answer = async () => {
    const reserved = await denying.reserve(0.5);
    return reserved instanceof GatewayError ? reserved.code : 'allowed';
  };
  await expect.poll(answer).toBe('budget_exceeded');
});
