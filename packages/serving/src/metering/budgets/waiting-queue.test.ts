import { GatewayError, type Principal } from '@tallyport/contracts';
import { openMemoryStore, openStore, type Store } from '@tallyport/store';
import { afterEach, describe, expect, test } from 'vitest';
import { type BudgetReservation, type Budgets, createBudgets } from './budgets.ts';

const dollar = 1_000_000_000;
const at = new Date();
let holders = 0;
const holder = (amount: string): Principal => ({
  accountId: 'account',
  keyId: `key-${process.pid}-${(holders += 1)}`,
  budgets: { key: { amount, period: 'month' } },
});

const stores = {
  memory: () => Promise.resolve(openMemoryStore()),
  redis: () =>
    openStore({ url: process.env['TEST_REDIS_URL'] ?? '', prefix: `waiting-${process.pid}-${Math.random()}:` }),
};

let opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.map((each) => each.stop()));
  opened = [];
});

function open(store: Store, { waitMs = 10_000, maxWaiting = 500 } = {}): Budgets {
  const budgets = createBudgets({
    store,
    replicas: { count: () => 1 },
    whenAway: 'allow',
    waitMs,
    maxWaiting,
    readLedger: async (queries) => queries.map(() => ({ before: '0', hours: [] })),
    onDecision() {},
    onNotCompared() {},
  });
  opened.push(budgets);
  return budgets;
}

type Reserved = BudgetReservation | GatewayError | undefined;
const reserve = async (
  budgets: Budgets,
  principal: Principal,
  dollars: number,
  signal?: AbortSignal,
): Promise<Reserved> =>
  budgets.reserve({
    principal,
    wanted: () => Math.round(dollars * dollar),
    ttlMs: 60_000,
    ...(signal && { signal }),
  });
function settle(reserved: Reserved, dollars: number): void {
  if (reserved instanceof GatewayError || reserved === undefined) throw reserved ?? new Error('nothing was reserved');
  reserved.settle(Math.round(dollars * dollar), at);
}

/** Requests that are settled a few turns after they were allowed, like those of a provider. */
async function serve(budgets: Budgets, principal: Principal, { estimate, cost }: Record<'estimate' | 'cost', number>) {
  const reserved = await reserve(budgets, principal, estimate);
  if (reserved instanceof GatewayError) return reserved.code;
  for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
  settle(reserved, cost);
  return 'served';
}

describe.each(['memory', 'redis'] as const)('money reserved by running requests, over %s', (name) => {
  test.each([1, 20, 200])('is waited for: 200 requests, %i at once, all succeed', async (atOnce) => {
    const store = await stores[name]();
    const replicas = [open(store), open(store)];
    const principal = holder('5');
    const results: string[] = [];
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < 200) {
        const turn = (next += 1);
        const budgets = replicas[turn % 2] as Budgets;
        results.push(await serve(budgets, principal, { estimate: 0.29, cost: 0.01 }));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, client));
    expect(results).toEqual(Array.from({ length: 200 }, () => 'served'));
  });

  test('lets as many requests succeed as it pays for; the rest are refused without waiting', async () => {
    const budgets = open(await stores[name](), { waitMs: 30_000 });
    const principal = holder('1');
    const all = Array.from({ length: 60 }, () => serve(budgets, principal, { estimate: 0.05, cost: 0.05 }));
    const results = await Promise.all(all);
    expect(results.filter((each) => each === 'served')).toHaveLength(20);
    expect(results.filter((each) => each === 'budget_exceeded')).toHaveLength(40);
  });

  test('is granted in order of arrival, and a smaller request overtakes a larger one', async () => {
    const budgets = open(await stores[name]());
    const principal = holder('1');
    const running = await reserve(budgets, principal, 0.9);
    const order: string[] = [];
    const ask = (title: string, dollars: number) =>
      reserve(budgets, principal, dollars).then((reserved) => {
        order.push(title);
        return reserved;
      });
    const first = ask('first', 0.5);
    const second = ask('second', 0.5);
    settle(await ask('small', 0.1), 0.1);
    settle(running, 0.1);
    settle(await first, 0.1);
    settle(await second, 0.1);
    expect(order).toEqual(['small', 'first', 'second']);
  });

  test('is noticed when another replica releases it', async () => {
    const store = await stores[name]();
    const [here, there] = [open(store), open(store)];
    const principal = holder('1');
    const running = await reserve(here, principal, 1);
    const waiting = reserve(there, principal, 1);
    settle(running, 0);
    settle(await waiting, 0);
  });
});

test('a request that waited in vain is refused with the advice to retry soon', async () => {
  const budgets = open(openMemoryStore(), { waitMs: 30 });
  const principal = holder('1');
  await reserve(budgets, principal, 0.8);
  const refused = await Promise.all([0.5, 0.5].map((dollars) => reserve(budgets, principal, dollars)));
  expect(refused).toMatchObject([
    { code: 'budget_exceeded', retryAfterMs: 1_000 },
    { code: 'budget_exceeded', retryAfterMs: 1_000 },
  ]);
});

test('the queue of a budget is limited, without affecting the requests in it', async () => {
  const budgets = open(openMemoryStore(), { maxWaiting: 2 });
  const [principal, other] = [holder('1'), holder('1')];
  const running = await reserve(budgets, principal, 1);
  const others = await reserve(budgets, other, 1);
  const waiting = [reserve(budgets, principal, 0.5), reserve(budgets, principal, 0.5)];
  const tooMany = await reserve(budgets, principal, 0.5);
  expect(tooMany).toMatchObject({ code: 'rate_limit_exceeded', retryAfterMs: 1_000 });
  const waitingForOther = reserve(budgets, other, 0.5);
  settle(running, 0);
  for (const each of waiting) settle(await each, 0);
  settle(others, 0);
  settle(await waitingForOther, 0);
});

test('a caller that leaves stops waiting, and its amount goes to the next request', async () => {
  const budgets = open(openMemoryStore());
  const principal = holder('1');
  const running = await reserve(budgets, principal, 1);
  const leaving = new AbortController();
  const left = reserve(budgets, principal, 1, leaving.signal);
  const next = reserve(budgets, principal, 1);
  leaving.abort();
  expect(await left).toMatchObject({ code: 'client_closed_request' });
  expect(await reserve(budgets, principal, 0.5, leaving.signal)).toMatchObject({ code: 'client_closed_request' });
  settle(running, 0);
  settle(await next, 0);
});
