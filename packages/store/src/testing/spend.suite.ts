import { expect, test } from 'vitest';
import type { SpendResult } from '../store.ts';
import type { Fresh } from './fresh.ts';
import { within } from './within.ts';

const minute = 60_000;
const waiting = { interval: 5 };

export function spendTests(fresh: Fresh): void {
  test('grant concurrent callers exactly the limit', async () => {
    const store = await fresh();
    const rule = { limit: 100, windowMs: minute, wanted: 1 };
    const asked = Array.from({ length: 500 }, () => store.spend('a', rule));
    const answers = (await Promise.all(asked)) as (SpendResult | undefined)[];
    // On a busy machine some calls time out although the server counts them, and the breaker may skip some after that.
    const again = async (): Promise<number | undefined> => {
      answers.push(await store.spend('a', rule));
      return answers.at(-1)?.granted;
    };
    await expect.poll(again, waiting).toBe(0);
    const unknown = answers.filter((answer) => answer === undefined).length;
    const granted = answers.reduce((sum, answer) => sum + (answer?.granted ?? 0), 0);
    expect(granted).toBeLessThanOrEqual(100);
    expect(granted).toBeGreaterThanOrEqual(100 - unknown);
    const refused = answers.at(-1);
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

  test('count a debt regardless of the limit, before the wanted amount', async () => {
    const store = await fresh();
    const rule = { limit: 10, windowMs: minute };
    expect(await store.spend('a', { ...rule, owed: 9, wanted: 3, least: 1 })).toMatchObject({ granted: 1, used: 10 });
    expect(await store.spend('a', { ...rule, owed: 5, wanted: 1 })).toMatchObject({ granted: 0, used: 15 });
  });

  test('accept refunds in the slot of the grant, and never count below 0', async () => {
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

  test('free an amount one window after it was spent, not before, as announced', async () => {
    const store = await fresh();
    const rule = { limit: 3, windowMs: 600 };
    const {
      key,
      result: refused,
      startedAt,
    } = await within(rule.windowMs, async (name) => {
      await store.spend(name, { ...rule, wanted: 3 });
      return store.spend(name, { ...rule, wanted: 1 });
    });
    expect(refused?.granted).toBe(0);
    await expect.poll(() => store.spend(key, { ...rule, wanted: 3 }), waiting).toMatchObject({ granted: 3, used: 3 });
    const passed = performance.now() - startedAt;
    expect(passed).toBeGreaterThanOrEqual(598);
    expect(passed).toBeGreaterThanOrEqual((refused?.comesBackMs ?? 0) - 2);
  });

  test('report when enough is freed for the smallest useful grant', async () => {
    const store = await fresh();
    const rule = { limit: 10, windowMs: 12_000 };
    const first = (await store.spend('a', { ...rule, wanted: 4 })) as SpendResult;
    await expect
      .poll(async () => (await store.spend('a', { ...rule, wanted: 0 }))?.slot, waiting)
      .toBeGreaterThan(first.slot);
    const second = (await store.spend('a', { ...rule, wanted: 6 })) as SpendResult;
    /** The bounds of that time: the store reports it as of some moment between request and response. */
    const comesBack = async (wanted: number): Promise<{ from: number; until: number }> => {
      const asked = performance.now();
      const { comesBackMs } = (await store.spend('a', { ...rule, wanted })) as SpendResult;
      return { from: asked + comesBackMs, until: performance.now() + comesBackMs };
    };
    const [one, five, never] = [await comesBack(1), await comesBack(5), await comesBack(11)];
    const apartMs = ((second.slot - first.slot) * rule.windowMs) / 120;
    const roundedMs = 2;
    expect(five.until - one.from).toBeGreaterThanOrEqual(apartMs - roundedMs);
    expect(five.from - one.until).toBeLessThanOrEqual(apartMs + roundedMs);
    expect(never.until - five.from).toBeGreaterThanOrEqual(-roundedMs);
    expect(never.from - five.until).toBeLessThanOrEqual(roundedMs);
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
