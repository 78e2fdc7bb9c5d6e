import type { Budget, Principal } from '@tallyport/contracts';
import { openMemoryStore, openStore, type Store } from '@tallyport/store';
import { afterEach, describe, expect, test } from 'vitest';
import { type Budgets, createBudgets } from './budgets.ts';

const cent = 10_000_000;
const at = new Date('2026-11-21T20:30:00.000Z');
const total = (cents: number): Budget => ({ amount: (cents / 100).toFixed(2), period: 'total' });

const stores = {
  memory: () => Promise.resolve(openMemoryStore()),
  redis: () =>
    openStore({ url: process.env['TEST_REDIS_URL'] ?? '', prefix: `again-${process.pid}-${Math.random()}:` }),
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function replicaOf(store: Store): Budgets {
  const budgets = createBudgets({
    store,
    replicas: { count: () => 2 },
    now: () => at,
    whenAway: 'deny',
    waitMs: 0,
    readLedger: async (queries) => queries.map(() => ({ before: '0', hours: [] })),
    onDecision() {},
    onNotCompared() {},
  });
  closing.push(() => budgets.stop());
  return budgets;
}

describe.each(['memory', 'redis'] as const)('settlements of lines that vendors have answered, over %s', (name) => {
  test.each([
    ['within', 100],
    ['beyond', 0],
  ])(
    '%s a budget, a line counts once that another replica settles again, also after hundreds of others',
    async (_place, limit) => {
      const store = await stores[name]();
      closing.push(() => store.close());
      const [one, other] = [replicaOf(store), replicaOf(store)];
      const principal: Principal = { accountId: 'acc', keyId: 'key', budgets: { key: total(limit) } };
      const settle = async (budgets: Budgets, line: number): Promise<void> => {
        const owed = await budgets.owe({ principal, wanted: () => 0, ttlMs: 60_000, settledAs: `line ${line}` });
        owed?.settle(cent, at);
      };
      const spent = async () => {
        await one.reserve({ principal, wanted: () => 1, ttlMs: 60_000, neverWaits: true });
        const step = { kind: 'reserve', amount: 0, limit: 0, ttlMs: 1 } as const;
        return ((await store.purse('budget:key:key:total:ever', step, 60_000))?.spent ?? 0) / cent;
      };
      for (let line = 1; line <= 150; line += 1) await settle(one, line);
      await expect.poll(spent).toBe(150);
      await settle(other, 1);
      await settle(other, 150);
      await settle(other, 151);
      await expect.poll(spent).toBe(151);
    },
  );
});
