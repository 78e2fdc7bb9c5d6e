import { expect, test } from 'vitest';
import type { PurseStep } from '../store.ts';
import type { Fresh } from './fresh.ts';

const keepMs = 60_000;

export function purseTests(fresh: Fresh): void {
  const know = (before: number, hours: { hour: number; amount: number }[] = [], from = 0): PurseStep => ({
    kind: 'know',
    before,
    from,
    hours,
  });
  const reserve = (amount: number, limit = 100): PurseStep => ({ kind: 'reserve', amount, limit, ttlMs: 60_000 });
  const open = async () => {
    const store = await fresh();
    return async (step: PurseStep, name = 'a') => store.purse(name, step, keepMs);
  };
  const take = async (step: Awaited<ReturnType<typeof open>>, amount: number) => {
    const state = await step(reserve(amount));
    return { granted: state?.granted, slot: state?.slot ?? 0 };
  };

  test('grant nothing while spending is unknown', async () => {
    const step = await open();
    expect(await step(reserve(1))).toMatchObject({ known: false, granted: false, spent: 0, held: 0 });
    await step(know(0));
    expect(await step(reserve(1))).toMatchObject({ known: true, granted: true, spent: 0, held: 1 });
  });

  test('grant up to the limit and not one more', async () => {
    const step = await open();
    await step(know(40, [{ hour: 7, amount: 10 }]));
    expect(await step(reserve(50))).toMatchObject({ granted: true, spent: 50, held: 50 });
    expect(await step(reserve(1))).toMatchObject({ granted: false, spent: 50, held: 50 });
    expect(await step(reserve(0))).toMatchObject({ granted: true });
    expect(await step(reserve(1), 'b')).toMatchObject({ known: false });
  });

  test('replace a reservation by the amount spent, whether less or more', async () => {
    const step = await open();
    await step(know(0));
    const { slot } = await take(step, 30);
    expect(await step({ kind: 'settle', slot, reserved: 30, spent: 12, hour: 7 })).toMatchObject({
      spent: 12,
      held: 0,
    });
    const second = await take(step, 5);
    const more: PurseStep = { kind: 'settle', slot: second.slot, reserved: 5, spent: 200, hour: 8 };
    expect(await step(more)).toMatchObject({ spent: 212, held: 0 });
    expect(await step(reserve(0))).toMatchObject({ granted: false });
  });

  test('grant concurrent reservations exactly up to the limit', async () => {
    const step = await open();
    await step(know(0));
    const taken = await Promise.all(Array.from({ length: 50 }, () => step(reserve(10))));
    expect(taken.filter((state) => state?.granted)).toHaveLength(10);
  });

  test('use the ledger’s figures for past hours, and for other hours if they are larger', async () => {
    const step = await open();
    await step(know(0));
    for (const [hour, spent] of [
      [6, 5],
      [7, 10],
      [8, 10],
    ] as const)
      // prettier-ignore
      await step({ kind: 'settle', slot: 0, reserved: 0, spent, hour });
    const figures = know(3, [{ hour: 7, amount: 4 }, { hour: 8, amount: 11 }], 7); // prettier-ignore
    expect(await step(figures)).toMatchObject({ spent: 3 + 10 + 11 });
    expect(await step(know(14, [], 8))).toMatchObject({ spent: 14 + 11 });
  });

  test('count each hour once while its records wait, at any age, and with what is settled later', async () => {
    const step = await open();
    const current = Math.floor(Date.now() / 3_600_000);
    const first = current - 72;
    const hours = Array.from({ length: 73 }, (_, at) => first + at);
    const ledger = (amount: number) => hours.map((hour) => ({ hour, amount }));
    await step(know(5, [], first));
    for (const hour of hours) await step({ kind: 'settle', slot: 0, reserved: 0, spent: 10, hour });
    for (let round = 0; round < 3; round += 1) {
      expect(await step(know(5, ledger(round * 5), first))).toMatchObject({ spent: 5 + 73 * 10 });
    }
    const late: PurseStep = { kind: 'settle', slot: 0, reserved: 0, spent: 3, hour: first };
    expect(await step(late)).toMatchObject({ spent: 738 });
    expect(await step(know(5, ledger(10), first))).toMatchObject({ spent: 738 });
    expect(await step(reserve(1, 738))).toMatchObject({ granted: false });
    expect(await step(know(5, [{ hour: current - 40, amount: 12 }], first))).toMatchObject({ spent: 740 });
    expect(await step(know(15, ledger(10).slice(1), first + 1))).toMatchObject({ spent: 737 });
    expect(await step(know(7, [], current + 1))).toMatchObject({ spent: 7 });
  });

  test('grant nothing to a caller that refers to a lost purse', async () => {
    const step = await open();
    expect(await step(reserve(1))).toMatchObject({ since: 0 });
    const since = (await step(know(0)))?.since ?? 0;
    expect(since).toBeGreaterThan(0);
    const of = (one: number): PurseStep => ({ kind: 'reserve', amount: 10, limit: 100, ttlMs: 60_000, since: one });
    expect(await step(of(since))).toMatchObject({ granted: true, held: 10, since });
    expect(await step(of(since - 1))).toMatchObject({ granted: false, held: 10, since });
    expect(await step(know(1))).toMatchObject({ since });
  });

  test('recall the lost total once, and the later spending and reservations of each replica', async () => {
    const step = await open();
    const aside = [{ slot: 2 ** 40, amount: 5 }, { slot: 2 ** 40 + 1, amount: 6 }]; // prettier-ignore
    const recalled = (seen: number, owed: number, held = aside): PurseStep => ({ kind: 'recall', seen, owed, hour: 7, held }); // prettier-ignore
    expect(await step(recalled(30, 1))).toMatchObject({ known: false, spent: 0, held: 0 });
    await step(know(10, [{ hour: 7, amount: 2 }]));
    expect(await step(recalled(30, 1))).toMatchObject({ known: true, spent: 31, held: 11 });
    expect(await step({ kind: 'settle', slot: 0, reserved: 0, spent: 4, hour: 7 })).toMatchObject({ spent: 35 });
    expect(await step(recalled(29, 2, []))).toMatchObject({ spent: 37, held: 11 });
    expect(await step(recalled(32, 0, []))).toMatchObject({ spent: 39, held: 11 });
    const back: PurseStep = { kind: 'settle', slot: 2 ** 40, reserved: 5, spent: 5, hour: 7 };
    expect(await step(back)).toMatchObject({ spent: 44, held: 6 });
    // For past hours only the ledger counts.
    expect(await step(know(36, [], 8))).toMatchObject({ spent: 36 });
  });

  test('count what was recalled once, although its records reach the ledger later and in earlier hours', async () => {
    const step = await open();
    await step(know(0));
    await step({ kind: 'recall', seen: 15, owed: 0, hour: 7, held: [] });
    expect(await step({ kind: 'settle', slot: 0, reserved: 0, spent: 2, hour: 7 })).toMatchObject({ spent: 17 });
    const hours = [5, 6, 7].map((hour) => ({ hour, amount: 5 }));
    expect(await step(know(0, hours.slice(0, 2)))).toMatchObject({ spent: 17 });
    expect(await step(reserve(1, 17))).toMatchObject({ granted: false });
    const all = [...hours.slice(0, 2), { hour: 7, amount: 7 }];
    expect(await step(know(0, all))).toMatchObject({ spent: 17 });
    expect(await step({ kind: 'settle', slot: 0, reserved: 0, spent: 1, hour: 8 })).toMatchObject({ spent: 18 });
    expect(await step(know(17, [], 8))).toMatchObject({ spent: 18 });
  });

  test('recall nothing that the ledger already contains', async () => {
    const step = await open();
    await step(know(40));
    expect(await step({ kind: 'recall', seen: 30, owed: 10, hour: 7, held: [] })).toMatchObject({ spent: 40 });
    expect(await step({ kind: 'recall', seen: 0, owed: 1, hour: 7, held: [] })).toMatchObject({ spent: 41 });
  });

  test('count no settlement of a lost purse', async () => {
    const step = await open();
    const since = (await step(know(0)))?.since ?? 0;
    const { slot } = await take(step, 30);
    const settle = (of: number): PurseStep => ({ kind: 'settle', slot, reserved: 10, spent: 1, hour: 7, since: of });
    expect(await step(settle(since - 1))).toMatchObject({ granted: false, spent: 0, held: 30 });
    expect(await step(settle(since))).toMatchObject({ granted: true, spent: 1, held: 20 });
    expect(await step(settle(since), 'b')).toMatchObject({ granted: false, known: false, spent: 0 });
  });

  test('count a settlement once that is repeated with its id, until it need not be remembered', async () => {
    const step = await open();
    await step(know(0));
    const { slot } = await take(step, 30);
    const settle = (id: string, forget: string[] = []): PurseStep => ({ kind: 'settle', id, forget, slot, reserved: 10, spent: 4, hour: 7 }); // prettier-ignore
    expect(await step(settle('a'))).toMatchObject({ granted: true, spent: 4, held: 20 });
    expect(await step(settle('a'))).toMatchObject({ granted: true, spent: 4, held: 20 });
    expect(await step(settle('b'))).toMatchObject({ granted: true, spent: 8, held: 10 });
    expect(await step(settle('b', ['a']))).toMatchObject({ granted: true, spent: 8, held: 10 });
    expect(await step(settle('b'))).toMatchObject({ spent: 8 });
    expect(await step(settle('a'))).toMatchObject({ spent: 12, held: 0 });
    expect(await step(settle('a'), 'b')).toMatchObject({ spent: 4 });
  });

  const holding = (id: string, amount: number, limit = 100): PurseStep => ({ kind: 'hold', id, amount, limit, ttlMs: 60_000 }); // prettier-ignore
  const within = (hold: string, amount: number): PurseStep => ({ kind: 'reserve', amount, limit: 100, ttlMs: 60_000, hold }); // prettier-ignore

  test('hold an amount once, however often it is set, and grant others only the rest', async () => {
    const step = await open();
    expect(await step(holding('a', 1))).toMatchObject({ known: false, granted: false, held: 0 });
    await step(know(10));
    expect(await step(holding('a', 91))).toMatchObject({ granted: false, held: 0 });
    for (let round = 0; round < 3; round += 1)
      expect(await step(holding('a', 60))).toMatchObject({ granted: true, spent: 10, held: 60 });
    expect(await step(holding('b', 31))).toMatchObject({ granted: false, held: 60 });
    expect(await step(holding('b', 5))).toMatchObject({ granted: true, held: 65 });
    expect(await step(reserve(26))).toMatchObject({ granted: false, held: 65 });
    expect(await step(holding('a', 20))).toMatchObject({ granted: true, held: 25 });
    expect(await step(reserve(65))).toMatchObject({ granted: true, held: 90 });
    expect(await step(holding('a', 0, 0))).toMatchObject({ granted: false, held: 90 });
    expect(await step(holding('a', 0))).toMatchObject({ granted: true, held: 70 });
  });

  test('let a reservation take the place of its part of a hold', async () => {
    const step = await open();
    await step(know(10));
    await step(holding('a', 80));
    const first = await step(within('a', 30));
    expect(first).toMatchObject({ granted: true, spent: 10, held: 80 });
    const slot = first?.slot ?? 0;
    expect(await step(holding('a', 80))).toMatchObject({ granted: true, held: 80 });
    expect(await step(reserve(11))).toMatchObject({ granted: false });
    const free: PurseStep = { kind: 'settle', slot, reserved: 10, spent: 0, hour: 7, hold: 'a' };
    expect(await step(free)).toMatchObject({ spent: 10, held: 80 });
    const paid: PurseStep = { kind: 'settle', slot, reserved: 20, spent: 15, hour: 7, hold: 'a' };
    expect(await step(paid)).toMatchObject({ spent: 25, held: 60 });
    expect(await step(within('a', 71))).toMatchObject({ granted: true, held: 71 });
    expect(await step(within('a', 5))).toMatchObject({ granted: false, held: 71 });
    expect(await step(holding('a', 0))).toMatchObject({ granted: true, held: 71 });
  });

  test('grant what fits into its own hold, also if all holds together have become too large', async () => {
    const step = await open();
    await step(know(10));
    await step(holding('a', 60, 1_000));
    expect(await step(holding('b', 60, 1_000))).toMatchObject({ granted: true, held: 120 });
    expect(await step(reserve(1))).toMatchObject({ granted: false });
    expect(await step(within('a', 61))).toMatchObject({ granted: false });
    expect(await step(within('a', 60))).toMatchObject({ granted: true, held: 120 });
    expect(await step(within('b', 31))).toMatchObject({ granted: false });
    expect(await step(within('b', 30))).toMatchObject({ granted: true, held: 120 });
  });

  test('release no reservation that has already expired', async () => {
    const step = await open();
    await step(know(0));
    expect(await step({ kind: 'settle', slot: 12, reserved: 50, spent: 1, hour: 7 })).toMatchObject({
      spent: 1,
      held: 0,
    });
  });

  test('count to nine million dollars in billionths', async () => {
    const step = await open();
    const most = Number.MAX_SAFE_INTEGER - 1;
    await step(know(most));
    expect(await step(reserve(1, Number.MAX_SAFE_INTEGER))).toMatchObject({ granted: true, spent: most, held: 1 });
    expect(await step(reserve(1, Number.MAX_SAFE_INTEGER))).toMatchObject({ granted: false });
  });

  test.each<PurseStep>([
    { kind: 'reserve', amount: -1, limit: 1, ttlMs: 1 },
    { kind: 'reserve', amount: 0.5, limit: 1, ttlMs: 1 },
    { kind: 'reserve', amount: 1, limit: 1, ttlMs: 0 },
    { kind: 'reserve', amount: 1, limit: 1, ttlMs: 1, since: -1 },
    { kind: 'hold', id: 'a', amount: -1, limit: 1, ttlMs: 1 },
    { kind: 'hold', id: 'a', amount: 1, limit: 1, ttlMs: 0 },
    { kind: 'recall', seen: 1, owed: 0, hour: 1, held: [{ slot: 1, amount: 0.5 }] },
    { kind: 'settle', slot: 0, reserved: 0, spent: Number.NaN, hour: 1 },
    { kind: 'know', before: 0, from: 0, hours: [{ hour: 0.5, amount: 1 }] },
  ])('refuse %j', async (broken) => {
    await expect((await open())(broken)).rejects.toThrow(RangeError);
  });
}
