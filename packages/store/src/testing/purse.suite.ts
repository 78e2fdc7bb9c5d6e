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

  test('grant nothing before it is known what was spent', async () => {
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

  test('turn what was set aside into what was spent, more or less than that', async () => {
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

  test('go to exactly as many as there is for, of all who ask at once', async () => {
    const step = await open();
    await step(know(0));
    const taken = await Promise.all(Array.from({ length: 50 }, () => step(reserve(10))));
    expect(taken.filter((state) => state?.granted)).toHaveLength(10);
  });

  test('take the ledger’s word: for hours that are over as it is, for the others where it is more', async () => {
    const step = await open();
    await step(know(0));
    for (const [hour, spent] of [
      [6, 5],
      [7, 10],
      [8, 10],
    ] as const)
      // prettier-ignore
      await step({ kind: 'settle', slot: 0, reserved: 0, spent, hour });
    const told = know(3, [{ hour: 7, amount: 4 }, { hour: 8, amount: 11 }], 7); // prettier-ignore
    expect(await step(told)).toMatchObject({ spent: 3 + 10 + 11 });
    expect(await step(know(14, [], 8))).toMatchObject({ spent: 14 + 11 });
  });

  test('give back nothing that has come back already', async () => {
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
    { kind: 'settle', slot: 0, reserved: 0, spent: Number.NaN, hour: 1 },
    { kind: 'know', before: 0, from: 0, hours: [{ hour: 0.5, amount: 1 }] },
  ])('refuse %j', async (broken) => {
    await expect((await open())(broken)).rejects.toThrow(RangeError);
  });
}
