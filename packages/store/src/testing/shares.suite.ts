import { expect, test } from 'vitest';
import type { Fresh } from './fresh.ts';
import { within } from './within.ts';

const minute = 60_000;
const waiting = { interval: 5 };

export function sharesTests(fresh: Fresh): void {
  const rule = { needed: 0, limit: 10, ttlMs: minute };

  test('are as large as wanted while there is enough, and then the rest', async () => {
    const store = await fresh();
    expect(await store.share('a', { ...rule, holder: 'x', wanted: 7 })).toEqual({ held: 7, others: 0, holders: 1 });
    expect(await store.share('a', { ...rule, holder: 'y', wanted: 7 })).toEqual({ held: 3, others: 7, holders: 2 });
    expect(await store.share('a', { ...rule, holder: 'z', wanted: 1 })).toEqual({ held: 0, others: 10, holders: 2 });
    expect(await store.share('b', { ...rule, holder: 'z', wanted: 1 })).toEqual({ held: 1, others: 0, holders: 1 });
  });

  test('grow and shrink on request, but never below what is in use', async () => {
    const store = await fresh();
    await store.share('a', { ...rule, holder: 'x', wanted: 7 });
    expect(await store.share('a', { ...rule, holder: 'x', wanted: 2 })).toEqual({ held: 2, others: 0, holders: 1 });
    await store.share('a', { ...rule, holder: 'y', wanted: 8 });
    const inUse = { ...rule, holder: 'x', needed: 4, wanted: 4 };
    expect(await store.share('a', inUse)).toEqual({ held: 4, others: 8, holders: 2 });
    expect(await store.share('a', { ...rule, holder: 'x', wanted: 0 })).toEqual({ held: 0, others: 8, holders: 1 });
  });

  test('are freed when their holder does not renew them', async () => {
    const store = await fresh();
    const ttlMs = 60;
    const { key, result } = await within(ttlMs, async (name) => {
      await store.share(name, { ...rule, holder: 'x', wanted: 10, ttlMs });
      return store.share(name, { ...rule, holder: 'y', wanted: 1 });
    });
    expect(result).toMatchObject({ held: 0 });
    await expect
      .poll(() => store.share(key, { ...rule, holder: 'y', wanted: 10 }), waiting)
      .toEqual({ held: 10, others: 0, holders: 1 });
  });

  test('are granted to concurrent holders exactly up to the limit', async () => {
    const store = await fresh();
    const results = Array.from({ length: 50 }, (_, index) =>
      store.share('a', { ...rule, holder: `h${index}`, wanted: 1 }),
    );
    expect((await Promise.all(results)).filter((shared) => shared?.held === 1)).toHaveLength(10);
  });

  test.each([
    { needed: 0, wanted: 1, limit: 10, ttlMs: 0 },
    { needed: -1, wanted: 1, limit: 10, ttlMs: minute },
    { needed: 0, wanted: 0.5, limit: 10, ttlMs: minute },
  ])('refuse %j', async (broken) => {
    const store = await fresh();
    await expect(store.share('a', { holder: 'x', ...broken })).rejects.toThrow(RangeError);
  });
}
