import { GatewayError, hourOf, type Principal, type SpentBudget } from '@tallyport/contracts';
import { openMemoryStore, openStore, type Store } from '@tallyport/store';
import { afterEach, describe, expect, test } from 'vitest';
import { type BudgetReservation, type Budgets, type BudgetsOptions, createBudgets } from './budgets.ts';

const dollar = 1_000_000_000;
const now = () => new Date('2026-11-21T20:30:00.000Z');
const hour = '2026-11-21T20:00:00.000Z';
const threeDaysAgo = '2026-11-18T20:00:00.000Z';

const holder = (key: string | undefined, account?: string): Principal => ({
  accountId: `account-${(holders += 1)}`,
  keyId: `key-${holders}`,
  budgets: {
    ...(key !== undefined && { key: { amount: key, period: 'month' } }),
    ...(account !== undefined && { account: { amount: account, period: 'day' } }),
  },
});
let holders = 0;

const stores = {
  memory: () => Promise.resolve(openMemoryStore()),
  redis: () =>
    openStore({ url: process.env['TEST_REDIS_URL'] ?? '', prefix: `budgets-${process.pid}-${Math.random()}:` }),
};

let opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.map((each) => each.stop()));
  opened = [];
});

const nothingSpent: SpentBudget = { before: '0', hours: [] };

function open(store: Store, options: Partial<BudgetsOptions> = {}): Budgets & { reported: string[] } {
  const reported: string[] = [];
  const budgets = createBudgets({
    store,
    replicas: { count: () => 1 },
    now,
    whenAway: 'allow',
    waitMs: 50,
    readLedger: async (queries) => queries.map(() => nothingSpent),
    onDecision: (result) => reported.push(result),
    onNotCompared: () => reported.push('not compared'),
    ...options,
  });
  opened.push(budgets);
  return { ...budgets, reported };
}

const reserve = (budgets: Budgets, principal: Principal, dollars: number) =>
  budgets.reserve({ principal, wanted: () => dollars * dollar, ttlMs: 60_000 });
const isGranted = (reserved: BudgetReservation | GatewayError | undefined) => !(reserved instanceof GatewayError);
const settle = (reserved: BudgetReservation | GatewayError | undefined, dollars: number, at = now()) => {
  if (reserved instanceof GatewayError || reserved === undefined) throw new Error('nothing was reserved');
  reserved.settle(dollars * dollar, at);
};

/** A ledger of one budget, which has none of its records, of a dollar each, until they are written. */
function lateLedger() {
  const waiting: string[] = [];
  const written: string[] = [];
  let reads = 0;
  const read: BudgetsOptions['readLedger'] = async (queries) => {
    reads += 1;
    return queries.map(({ hour: first }) => {
      const hours = Map.groupBy(written.filter((each) => each >= first), (each) => each); // prettier-ignore
      return {
        before: String(written.filter((each) => each < first).length),
        hours: [...hours].map(([each, records]) => ({ hour: each, cost: String(records.length) })),
      };
    });
  };
  return {
    read,
    add: (at: Date) => waiting.push(hourOf(at)),
    write: () => written.push(...waiting.splice(0)),
    /** Budgets that are used are compared. The second reading begins after the first one has been compared. */
    async compared(use: () => Promise<unknown> | undefined) {
      const enough = reads + 2;
      await expect.poll(async () => (await use(), reads), { interval: 5 }).toBeGreaterThanOrEqual(enough);
    },
  };
}

describe.each(['memory', 'redis'] as const)('budgets over %s', (name) => {
  test('estimate nothing for a request without a budget', async () => {
    const budgets = open(await stores[name]());
    const estimate = () => {
      throw new Error('must not be called');
    };
    expect(await budgets.reserve({ principal: holder(undefined), wanted: estimate, ttlMs: 1_000 })).toBeUndefined();
    expect(await budgets.reserve({ principal: undefined, wanted: estimate, ttlMs: 1_000 })).toBeUndefined();
  });

  test('allow requests to the cent; a refusal names the budget, its state and its reset', async () => {
    const budgets = open(await stores[name]());
    const principal = holder('1');
    settle(await reserve(budgets, principal, 0.5), 0.25);
    expect(isGranted(await reserve(budgets, principal, 0.75))).toBe(true);
    const refused = await reserve(budgets, principal, 0.000_001);
    expect(refused).toBeInstanceOf(GatewayError);
    expect(refused).toMatchObject({
      code: 'budget_exceeded',
      status: 402,
      message:
        "This key's budget of $1 per month does not allow this request: $0.2500 spent, $0.7500 reserved by running requests and batches, and this request may cost $0.0000010. It resets at 2026-12-01T00:00:00.000Z.",
    });
    expect(budgets.reported).toEqual(['ok', 'ok', 'denied']);
  });

  test('are exact over replicas: of concurrent requests, only as many pass as the budget allows', async () => {
    const store = await stores[name]();
    const replicas = [open(store), open(store), open(store)];
    const principal = holder('1');
    const requests = Array.from({ length: 60 }, async (_, at) => reserve(replicas[at % 3] as Budgets, principal, 0.05));
    expect((await Promise.all(requests)).filter(isGranted)).toHaveLength(20);
  });

  test("release the key's reservation if the account's budget refuses", async () => {
    const budgets = open(await stores[name]());
    const principal = holder('5', '1');
    expect(await reserve(budgets, principal, 2)).toMatchObject({ message: expect.stringMatching(/^This account's/) });
    const keyAlone = { ...principal, budgets: { key: { amount: '5', period: 'month' } } } as const;
    expect(isGranted(await reserve(budgets, keyAlone, 5))).toBe(true);
  });

  test("continue from the ledger's figures when the counters are lost", async () => {
    const readLedger: BudgetsOptions['readLedger'] = async (queries) => {
      expect(queries).toEqual([
        { scope: 'key', id: expect.any(String), from: '2026-11-01T00:00:00.000Z', hour: threeDaysAgo },
      ]);
      return [{ before: '3.5', hours: [{ hour, cost: '0.5' }] }];
    };
    const budgets = open(await stores[name](), { readLedger });
    const principal = holder('5');
    expect(isGranted(await reserve(budgets, principal, 1))).toBe(true);
    expect(isGranted(await reserve(budgets, principal, 0.01))).toBe(false);
  });

  test('are compared with the ledger periodically', async () => {
    let spent = nothingSpent;
    const budgets = open(await stores[name](), { readLedger: async () => [spent], compareEveryMs: 20 });
    const principal = holder('5');
    settle(await reserve(budgets, principal, 1), 1);
    // A record arrived late, with a larger amount.
    spent = { before: '4.5', hours: [{ hour, cost: '1' }] };
    await expect.poll(async () => isGranted(await reserve(budgets, principal, 0))).toBe(false);
  });

  test('are not exceeded while their records wait for two days, nor when these reach the ledger', async () => {
    const ledger = lateLedger();
    let at = now();
    const options = { readLedger: ledger.read, compareEveryMs: 20, now: () => at };
    const budgets = open(await stores[name](), options);
    const principal = holder('25');
    let spent = 0;
    const spend = async () => {
      const reserved = await reserve(budgets, principal, 1);
      if (!isGranted(reserved)) return;
      settle(reserved, 1, at);
      ledger.add(at);
      spent += 1;
    };
    for (let round = 0; round <= 36; round += 1) {
      at = new Date(now().getTime() + round * 80 * 60_000);
      await spend();
      await ledger.compared(() => reserve(budgets, principal, 100));
      await spend();
    }
    expect(spent).toBe(25);
    ledger.write();
    for (const days of [2.1, 4.5]) {
      at = new Date(now().getTime() + days * 86_400_000);
      await spend();
      await ledger.compared(() => reserve(budgets, principal, 100));
      await spend();
    }
    expect(spent).toBe(25);
  });

  test('correct a count that the ledger does not have three days after its hour', async () => {
    const ledger = lateLedger();
    let at = now();
    const budgets = open(await stores[name](), { readLedger: ledger.read, compareEveryMs: 20, now: () => at });
    const principal = holder('1');
    settle(await reserve(budgets, principal, 1), 1);
    at = new Date('2026-11-24T20:59:59.999Z');
    expect(isGranted(await reserve(budgets, principal, 1))).toBe(false);
    await ledger.compared(() => reserve(budgets, principal, 100));
    expect(isGranted(await reserve(budgets, principal, 1))).toBe(false);
    at = new Date('2026-11-24T21:00:00.000Z');
    await expect.poll(async () => isGranted(await reserve(budgets, principal, 1))).toBe(true);
  });

  test('are compared in queries of at most fifty', async () => {
    const queried: number[] = [];
    const readLedger: BudgetsOptions['readLedger'] = async (queries) => {
      queried.push(queries.length);
      return queries.map(() => nothingSpent);
    };
    const budgets = open(await stores[name](), { readLedger, compareEveryMs: 3_000 });
    await Promise.all(Array.from({ length: 120 }, async () => reserve(budgets, holder('1'), 1)));
    await expect.poll(() => queried.filter((each) => each > 1)).toEqual([50, 50, 20]);
  });
});

describe('while the store is unavailable', () => {
  const away = async (): Promise<Store> => {
    const store = openMemoryStore();
    await store.close();
    return store;
  };

  test('a replica allows its share of the last known remainder', async () => {
    const store = openMemoryStore();
    const budgets = open(store);
    const principal = holder('3');
    settle(await reserve(budgets, principal, 1), 1);
    await reserve(budgets, principal, 0);
    await store.close();
    expect(isGranted(await reserve(budgets, principal, 2))).toBe(true);
    expect(isGranted(await reserve(budgets, principal, 0.01))).toBe(false);
  });

  test('or denies, if configured, without reporting the budget as spent', async () => {
    const budgets = open(await away(), { whenAway: 'deny' });
    expect(await reserve(budgets, holder('5'), 1)).toMatchObject({ code: 'unavailable', status: 503 });
    expect(budgets.reported).toEqual(['unavailable']);
  });

  test('and does the same while the ledger is unavailable too', async () => {
    const readLedger = () => Promise.reject(new Error('away'));
    expect(isGranted(await reserve(open(openMemoryStore(), { readLedger }), holder('5'), 1))).toBe(true);
    const denying = open(openMemoryStore(), { readLedger, whenAway: 'deny' });
    expect(await reserve(denying, holder('5'), 1)).toMatchObject({ code: 'unavailable' });
  });
});
