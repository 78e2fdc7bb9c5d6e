import { type BudgetQuery, GatewayError, type Principal, type SpentBudget } from '@tallyport/contracts';
import { openStore, type Store } from '@tallyport/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Budgets, createBudgets } from './budgets.ts';

const dollar = 1_000_000_000;
const hourMs = 3_600_000;

/** A ledger of one budget, in which every record is in the hour of its own time. */
class Ledger {
  readonly #records: { at: Date; cost: number }[] = [];

  write(at: Date, cost: number): void {
    this.#records.push({ at, cost });
  }

  readonly read = async (queries: readonly BudgetQuery[]): Promise<SpentBudget[]> =>
    queries.map((each) => this.#spent(each));

  #spent({ from = '2000-01-01T00:00:00.000Z', hour }: BudgetQuery): SpentBudget {
    const within = this.#records.filter(({ at }) => at >= new Date(from));
    const sumOf = (of: typeof within): string => String(of.reduce((sum, { cost }) => sum + cost, 0));
    const startOf = (at: Date): string => new Date(Math.floor(at.getTime() / hourMs) * hourMs).toISOString();
    const hours = Map.groupBy(
      within.filter(({ at }) => at >= new Date(hour)),
      ({ at }) => startOf(at),
    );
    return {
      before: sumOf(within.filter(({ at }) => at < new Date(hour))),
      hours: [...hours].map(([name, of]) => ({ hour: name, cost: sumOf(of) })),
    };
  }
}

describe('budgets of replicas whose clocks are an hour apart', () => {
  let store: Store;
  const replicas: Budgets[] = [];
  beforeAll(async () => {
    store = await openStore({ url: process.env['TEST_REDIS_URL'] ?? '', prefix: `clocks-${process.pid}:` });
  });
  afterAll(async () => {
    await Promise.all(replicas.map((each) => each.stop()));
    await store.close();
  });

  const open = (ledger: Ledger, now: () => Date): Budgets => {
    const budgets = createBudgets({
      store,
      replicas: { count: () => 1 },
      whenAway: 'deny',
      waitMs: 0,
      now,
      readLedger: ledger.read,
      compareEveryMs: 50,
      onDecision() {},
      onNotCompared() {},
    });
    replicas.push(budgets);
    return budgets;
  };
  const holder = (keyId: string): Principal => ({
    accountId: 'account',
    keyId,
    budgets: { key: { amount: '5', period: 'month' } },
  });
  async function spend(budgets: Budgets, principal: Principal, at: Date): Promise<void> {
    const reserved = await budgets.reserve({ principal, wanted: () => dollar, ttlMs: 60_000 });
    if (reserved === undefined || reserved instanceof GatewayError) throw new Error('nothing was reserved');
    reserved.settle(dollar, at);
  }
  const refusal = async (budgets: Budgets, principal: Principal): Promise<string | undefined> => {
    const refused = await budgets.reserve({ principal, wanted: () => 100 * dollar, ttlMs: 1 });
    return refused instanceof GatewayError ? /\$[\d.]+ spent/.exec(refused.message)?.[0] : undefined;
  };

  test('agree on the amount spent, whichever replica spent it or last read the ledger', async () => {
    const ledger = new Ledger();
    const principal = holder('apart');
    const clocks = [0, hourMs, -hourMs].map((offset) => () => new Date(Date.UTC(2026, 10, 21, 20, 30) + offset));
    const all = clocks.map((now) => ({ now, budgets: open(ledger, now) }));
    for (const { now, budgets } of all) {
      await spend(budgets, principal, now());
      ledger.write(now(), 1);
    }
    for (let round = 0; round < 5; round++) {
      for (const { budgets } of all) {
        await expect.poll(() => refusal(budgets, principal)).toBe('$3.0000 spent');
      }
    }
  });

  test('start the next month with what the replica that is ahead has spent of it', async () => {
    const ledger = new Ledger();
    const principal = holder('ahead');
    const [before, after] = [new Date('2026-11-30T23:30:00Z'), new Date('2026-12-01T00:30:00Z')];
    const [right, ahead] = [open(ledger, () => before), open(ledger, () => after)];
    await spend(right, principal, before);
    ledger.write(before, 1);
    await spend(ahead, principal, after);
    ledger.write(after, 1);
    expect(await refusal(right, principal)).toBe('$1.0000 spent');
    expect(
      await refusal(
        open(ledger, () => new Date('2026-12-01T01:00:00Z')),
        principal,
      ),
    ).toBe('$1.0000 spent');
  });
});
