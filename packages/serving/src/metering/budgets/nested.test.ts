import { type Budget, GatewayError, type Principal } from '@tallyport/contracts';
import { openMemoryStore, openStore, type Store } from '@tallyport/store';
import { assert, asyncProperty, constantFrom, integer, record, array } from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type BudgetReservation, type Budgets, createBudgets } from './budgets.ts';

const cent = 10_000_000;
const now = () => new Date('2026-11-21T20:30:00.000Z');
const month = (cents: number): Budget => ({ amount: (cents / 100).toFixed(2), period: 'month' });

const stores = {
  memory: () => Promise.resolve(openMemoryStore()),
  redis: () =>
    openStore({ url: process.env['TEST_REDIS_URL'] ?? '', prefix: `nested-${process.pid}-${Math.random()}:` }),
};

let opened: { budgets: Budgets; store: Store }[] = [];
afterEach(async () => {
  await Promise.all(opened.map(({ budgets }) => budgets.stop()));
  await Promise.all(opened.map(({ store }) => store.close()));
  opened = [];
});

function open(store: Store): Budgets {
  const budgets = createBudgets({
    store,
    replicas: { count: () => 1 },
    now,
    whenAway: 'deny',
    waitMs: 50,
    readLedger: async (queries) => queries.map(() => ({ before: '0', hours: [] })),
    onDecision() {},
    onNotCompared() {},
  });
  opened.push({ budgets, store });
  return budgets;
}

const reserve = (budgets: Budgets, principal: Principal, cents: number) =>
  budgets.reserve({ principal, wanted: () => cents * cent, ttlMs: 60_000 });
const isGranted = (reserved: BudgetReservation | GatewayError | undefined): reserved is BudgetReservation =>
  reserved !== undefined && !(reserved instanceof GatewayError);

describe.each(['memory', 'redis'] as const)('nested budgets over %s', (name) => {
  test.each([
    ['key', { key: month(5), project: month(6), account: month(7) }],
    ['project', { key: month(6), project: month(5), account: month(7) }],
    ['account', { key: month(7), project: month(6), account: month(5) }],
  ] as const)('to the cent, then a refusal names the budget of the %s and its reset', async (scope, limits) => {
    const budgets = open(await stores[name]());
    const principal: Principal = { accountId: 'acc', projectId: 'project', keyId: 'key', budgets: limits };
    expect(isGranted(await reserve(budgets, principal, 5))).toBe(true);
    expect(await reserve(budgets, principal, 1)).toMatchObject({
      code: 'budget_exceeded',
      message: expect.stringMatching(
        new RegExp(`^This ${scope}'s budget of \\$0.05 per month .* It resets at 2026-12-01T00:00:00.000Z\\.$`),
      ),
    });
  });

  test('a refusal of one budget releases what the others have reserved', async () => {
    const budgets = open(await stores[name]());
    const limits = { key: month(10), project: month(8), account: month(4) };
    const principal: Principal = { accountId: 'acc', projectId: 'project', keyId: 'key', budgets: limits };
    expect(await reserve(budgets, principal, 5)).toBeInstanceOf(GatewayError);
    const wider = { ...principal, budgets: { ...limits, account: month(100) } };
    expect(isGranted(await reserve(budgets, wider, 8))).toBe(true);
  });

  test('a moved key spends of its new project, and its running requests settle in the old one', async () => {
    const budgets = open(await stores[name]());
    const of = (projectId: string): Principal => ({
      accountId: 'acc',
      projectId,
      keyId: 'key',
      budgets: { project: month(5) },
    });
    const running = await reserve(budgets, of('old'), 5);
    expect(isGranted(await reserve(budgets, of('new'), 5))).toBe(true);
    if (isGranted(running)) running.settle(3 * cent, now());
    await expect.poll(async () => isGranted(await reserve(budgets, of('old'), 2))).toBe(true);
    expect(isGranted(await reserve(budgets, of('old'), 1))).toBe(false);
  });

  test('concurrent spending on two replicas never exceeds a key, a project or the account', async () => {
    const store = await stores[name]();
    const replicas = [open(store), open(store)];
    let installations = 0;
    await assert(
      asyncProperty(installation, async ({ account, projects, keys, requests }) => {
        installations += 1;
        const accountId = `acc-${installations}`;
        const spent = new Map<string, number>();
        const add = (id: string, cents: number) => spent.set(id, (spent.get(id) ?? 0) + cents);
        await Promise.all(
          requests.map(async ({ key, project, replica, cents, used }) => {
            const projectId = `${accountId}-project-${project}`;
            const keyId = `${accountId}-key-${key}`;
            const limits = {
              key: month(keys[key] ?? 0),
              project: month(projects[project] ?? 0),
              account: month(account),
            };
            const principal: Principal = { accountId, projectId, keyId, budgets: limits };
            const reserved = await reserve(replicas[replica] ?? open(store), principal, cents);
            if (!isGranted(reserved)) return;
            const cost = Math.floor((cents * used) / 100);
            for (const id of [accountId, projectId, keyId]) add(id, cost);
            reserved.settle(cost * cent, now());
          }),
        );
        expect(spent.get(accountId) ?? 0).toBeLessThanOrEqual(account);
        for (const [at, most] of projects.entries())
          expect(spent.get(`${accountId}-project-${at}`) ?? 0).toBeLessThanOrEqual(most);
        for (const [at, most] of keys.entries())
          expect(spent.get(`${accountId}-key-${at}`) ?? 0).toBeLessThanOrEqual(most);
      }),
      { numRuns: name === 'redis' ? 30 : 100 },
    );
  });
});

const budget = (max: number) => integer({ min: 0, max });

/** Amounts in cents; keys may be moved between requests. `used` is the part of a reservation that a request costs. */
const installation = record({
  account: budget(60),
  projects: array(budget(40), { minLength: 2, maxLength: 2 }),
  keys: array(budget(25), { minLength: 3, maxLength: 3 }),
  requests: array(
    record({
      key: constantFrom(0, 1, 2),
      project: constantFrom(0, 1),
      replica: constantFrom(0, 1),
      cents: integer({ min: 1, max: 10 }),
      used: integer({ min: 0, max: 100 }),
    }),
    { minLength: 1, maxLength: 40 },
  ),
});
