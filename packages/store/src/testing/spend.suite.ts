import { expect, test } from 'vitest';
import type { SpendResult } from '../store.ts';
import type { Fresh } from './fresh.ts';

const minute = 60_000;
const waiting = { timeout: 3_000, interval: 5 };

export function spendTests(fresh: Fresh): void {
  test('grant the limit and no more, to many who come at once', async () => {
    const store = await fresh();
    const asked = Array.from({ length: 500 }, () => store.spend('a', { limit: 100, windowMs: minute, wanted: 1 }));
    const answers = (await Promise.all(asked)) as SpendResult[];
    expect(answers.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
    const refused = await store.spend('a', { limit: 100, windowMs: minute, wanted: 1 });
    expect(refused).toEqual({
      granted: 0,
      used: 100,
      comesBackMs: expect.any(Number),
      slot: expect.any(Number),
    });
    expect(refused?.comesBackMs).toBeGreaterThan(50_000);
    expect(refused?.comesBackMs).toBeLessThanOrEqual(minute + minute / 120);
    expect(await store.spend('b', { limit: 1, windowMs: minute, wanted: 1 })).toMatchObject({ granted: 1, used: 1 });
  });

  test('grant what is left, or nothing when that is too little', async () => {
    const store = await fresh();
    const rule = { limit: 10, windowMs: minute };
    expect(await store.spend('a', { ...rule, wanted: 8 })).toMatchObject({ granted: 8, used: 8 });
    expect(await store.spend('a', { ...rule, wanted: 5 })).toMatchObject({ granted: 0, used: 8 });
    expect(await store.spend('a', { ...rule, wanted: 5, least: 3 })).toMatchObject({ granted: 0, used: 8 });
    expect(await store.spend('a', { ...rule, wanted: 5, least: 1 })).toMatchObject({ granted: 2, used: 10 });
    expect(await store.spend('a', { ...rule, wanted: 0 })).toMatchObject({ granted: 0, used: 10 });
  });

  test('count a debt whatever the limit, and in front of what is wanted', async () => {
    const store = await fresh();
    const rule = { limit: 10, windowMs: minute };
    expect(await store.spend('a', { ...rule, owed: 9, wanted: 3, least: 1 })).toMatchObject({ granted: 1, used: 10 });
    expect(await store.spend('a', { ...rule, owed: 5, wanted: 1 })).toMatchObject({ granted: 0, used: 15 });
  });

  test('take back what was not used where it was counted, and never below nothing', async () => {
    const store = await fresh();
    const rule = { limit: 10, windowMs: minute };
    const { slot } = (await store.spend('a', { ...rule, wanted: 10 })) as SpendResult;
    expect(await store.spend('a', { ...rule, wanted: 0, owed: -4, owedAt: slot })).toMatchObject({ used: 6 });
    expect(await store.spend('a', { ...rule, wanted: 0, owed: -40, owedAt: slot })).toMatchObject({ used: 0 });
    await store.spend('a', { ...rule, wanted: 5 });
    const gone = slot - 1_000;
    expect(await store.spend('a', { ...rule, wanted: 0, owed: -5, owedAt: gone })).toMatchObject({ used: 5 });
    expect(await store.spend('a', { ...rule, wanted: 0, owed: 2, owedAt: gone })).toMatchObject({ used: 7 });
  });

  test('give back a window after it was spent, not before, and when they said', async () => {
    const store = await fresh();
    const rule = { limit: 3, windowMs: 600 };
    const from = performance.now();
    await store.spend('a', { ...rule, wanted: 3 });
    const refused = await store.spend('a', { ...rule, wanted: 1 });
    expect(refused?.granted).toBe(0);
    await expect.poll(() => store.spend('a', { ...rule, wanted: 3 }), waiting).toMatchObject({ granted: 3, used: 3 });
    const passed = performance.now() - from;
    expect(passed).toBeGreaterThanOrEqual(598);
    expect(passed).toBeGreaterThanOrEqual((refused?.comesBackMs ?? 0) - 2);
  });

  test('say when enough comes back for the least that is of use', async () => {
    const store = await fresh();
    const rule = { limit: 10, windowMs: 12_000 };
    const first = (await store.spend('a', { ...rule, wanted: 4 })) as SpendResult;
    await expect
      .poll(async () => (await store.spend('a', { ...rule, wanted: 0 }))?.slot, waiting)
      .toBeGreaterThan(first.slot);
    await store.spend('a', { ...rule, wanted: 6 });
    const one = (await store.spend('a', { ...rule, wanted: 1 })) as SpendResult;
    const five = (await store.spend('a', { ...rule, wanted: 5 })) as SpendResult;
    expect(five.comesBackMs - one.comesBackMs).toBeGreaterThanOrEqual(80);
    const never = (await store.spend('a', { ...rule, wanted: 11 })) as SpendResult;
    expect(Math.abs(never.comesBackMs - five.comesBackMs)).toBeLessThan(80);
  });

  test.each([
    { limit: 1, windowMs: 0, wanted: 1 },
    { limit: 0.5, windowMs: minute, wanted: 1 },
    { limit: 1, windowMs: minute, wanted: -1 },
    { limit: 1, windowMs: minute, wanted: 1, owed: Number.NaN },
  ])('refuse %j', async (rule) => {
    const store = await fresh();
    await expect(store.spend('a', rule)).rejects.toThrow(RangeError);
  });
}
