import { expect, test } from 'vitest';
import type { Fresh } from './fresh.ts';
import { within } from './within.ts';

const minute = 60_000;
const waiting = { interval: 5 };

export function admitTests(fresh: Fresh): void {
  const rule = { most: 3, ttlMs: minute };

  test('admits the last member of the bound, and none beyond', async () => {
    const store = await fresh();
    const admitted = ['a', 'b', 'c', 'd', 'a', 'c', 'e'].map((member) => store.admit('set', { ...rule, member }));
    expect(await Promise.all(admitted)).toEqual([true, true, true, false, true, true, false]);
    expect(await store.admit('other', { ...rule, member: 'd' })).toBe(true);
  });

  test('admits concurrent members exactly up to the bound', async () => {
    const store = await fresh();
    const admitted = Array.from({ length: 50 }, (_, index) => store.admit('set', { ...rule, member: `m${index}` }));
    expect((await Promise.all(admitted)).filter(Boolean)).toHaveLength(3);
  });

  test('is forgotten after its time, which later members do not extend', async () => {
    const store = await fresh();
    const ttlMs = 60;
    const { key } = await within(ttlMs, async (name) => {
      await store.admit(name, { member: 'a', most: 1, ttlMs });
      return store.admit(name, { member: 'b', most: 1, ttlMs });
    });
    await expect.poll(() => store.admit(key, { member: 'b', most: 1, ttlMs: minute }), waiting).toBe(true);
  });

  test.each([
    { most: -1, ttlMs: minute },
    { most: 0.5, ttlMs: minute },
    { most: 1, ttlMs: 0 },
  ])('refuses %j', async (broken) => {
    const store = await fresh();
    await expect(store.admit('set', { member: 'a', ...broken })).rejects.toThrow(RangeError);
  });
}
