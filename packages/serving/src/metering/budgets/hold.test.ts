import { type Budget, GatewayError, type Principal } from '@tallyport/contracts';
import { openMemoryStore, openStore, type Store } from '@tallyport/store';
import { afterEach, describe, expect, test } from 'vitest';
import { type BudgetReservation, type Budgets, createBudgets } from './budgets.ts';

const cent = 10_000_000;
const now = () => new Date('2026-11-21T20:30:00.000Z');
const total = (cents: number): Budget => ({ amount: (cents / 100).toFixed(2), period: 'total' });

const stores = {
  memory: () => Promise.resolve(openMemoryStore()),
  redis: () => openStore({ url: process.env['TEST_REDIS_URL'] ?? '', prefix: `hold-${process.pid}-${Math.random()}:` }),
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function openReplicas(name: 'memory' | 'redis'): Promise<[Budgets, Budgets]> {
  const store = await stores[name]();
  closing.push(() => store.close());
  return [replicaOf(store), replicaOf(store)];
}

function replicaOf(store: Store): Budgets {
  const budgets = createBudgets({
    store,
    replicas: { count: () => 2 },
    now,
    whenAway: 'deny',
    waitMs: 0,
    readLedger: async (queries) => queries.map(() => ({ before: '0', hours: [] })),
    onDecision() {},
    onNotCompared() {},
  });
  closing.push(() => budgets.stop());
  return budgets;
}

const principal: Principal = {
  accountId: 'acc',
  projectId: 'project',
  keyId: 'key',
  budgets: { key: total(10), project: total(8), account: total(9) },
};
const hold = (id: string, cents: number, isNew = false) => ({ id, amount: cents * cent, ttlMs: 60_000, isNew });

async function reserve(budgets: Budgets, cents: number, batch?: string): Promise<BudgetReservation | undefined> {
  const reserved = await budgets.reserve({ principal, wanted: () => cents * cent, ttlMs: 60_000, hold: batch });
  return reserved instanceof GatewayError ? undefined : reserved;
}

describe.each(['memory', 'redis'] as const)('what batches hold of budgets, over %s', (name) => {
  test('only one of two batches gets what both need, and the other leaves nothing held', async () => {
    const [one, other] = await openReplicas(name);
    const answers = await Promise.all([
      one.hold(principal, hold('batch_a', 5, true)),
      other.hold(principal, hold('batch_b', 5, true)),
    ]);
    const refused = answers.filter((each) => each !== undefined);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.message).toMatch(
      /^This project's budget of \$0\.08 does not allow this batch: \$0\.0000 spent, \$0\.0500 reserved by running requests and batches, and its lines may cost \$0\.0500\. Send fewer lines, allow fewer tokens of output, or raise the budget\.$/,
    );
    expect(await one.left({ ...principal, budgets: { key: total(10) } })).toBe(0.05);
    expect(await reserve(one, 4)).toBeUndefined();
    expect(await reserve(other, 3)).toBeDefined();
  });

  test('a hold that is set again counts once, also by another replica, and 0 releases it', async () => {
    const [one, other] = await openReplicas(name);
    for (const budgets of [one, one, other])
      expect(await budgets.hold(principal, hold('batch_a', 7, true))).toBe(undefined);
    expect(await reserve(one, 2)).toBeUndefined();
    expect(await other.hold(principal, hold('batch_a', 0))).toBe(undefined);
    expect(await reserve(one, 8)).toBeDefined();
  });

  test('lines reserve of the hold of their batch, beside requests of clients', async () => {
    const [one, other] = await openReplicas(name);
    await one.hold(principal, hold('batch_a', 8, true));
    expect(await reserve(other, 1)).toBeUndefined();
    const [first, second] = [await reserve(one, 5, 'batch_a'), await reserve(other, 3, 'batch_a')];
    expect(await reserve(other, 1, 'batch_a')).toBeUndefined();
    first?.settle(cent, now());
    second?.settle(0, now());
    await expect.poll(() => reserve(other, 4)).toBeDefined();
    expect(await reserve(other, 1)).toBeUndefined();
    expect(await reserve(other, 3, 'batch_a')).toBeDefined();
  });
});

test('a hold is set again beyond a budget that was lowered, which then allows nothing else', async () => {
  const [budgets] = await openReplicas('memory');
  await budgets.hold(principal, hold('batch_a', 5, true));
  const lowered = { ...principal, budgets: { key: total(2) } };
  expect(await budgets.hold(lowered, hold('batch_a', 5))).toBe(undefined);
  expect(await budgets.hold(lowered, hold('batch_a', 5, true))).toMatchObject({ code: 'budget_exceeded' });
});
