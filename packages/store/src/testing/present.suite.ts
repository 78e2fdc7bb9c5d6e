import { expect, test } from 'vitest';
import type { Fresh } from './fresh.ts';
import { within } from './within.ts';

const minute = 60_000;
const waiting = { interval: 5 };

export function presentTests(fresh: Fresh): void {
  test('counts each member of a key once, until it leaves', async () => {
    const store = await fresh();
    const counts: (number | undefined)[] = [];
    for (const member of ['a', 'b', 'a', 'c']) counts.push(await store.present('one', { member, ttlMs: minute }));
    expect(counts).toEqual([1, 2, 2, 3]);
    expect(await store.present('other', { member: 'a', ttlMs: minute })).toBe(1);
    expect(await store.present('one', { member: 'b', ttlMs: 0 })).toBe(2);
    expect(await store.present('one', { member: 'unknown', ttlMs: 0 })).toBe(2);
  });

  test('counts concurrent members', async () => {
    const store = await fresh();
    const all = Array.from({ length: 50 }, (_, index) => store.present('key', { member: `m${index}`, ttlMs: minute }));
    expect(Math.max(...(await Promise.all(all)).map(Number))).toBe(50);
  });

  test('forgets a member after its time, also one that stays for less time than another', async () => {
    const store = await fresh();
    const ttlMs = 60;
    const { key, result } = await within(ttlMs, async (name) => {
      await store.present(name, { member: 'a', ttlMs: minute });
      await store.present(name, { member: 'b', ttlMs });
      return store.present(name, { member: 'c', ttlMs });
    });
    expect(result).toBe(3);
    await expect.poll(() => store.present(key, { member: 'a', ttlMs: minute }), waiting).toBe(1);
  });

  test.each([-1, 0.5, Number.NaN])('refuses a time of %s', async (ttlMs) => {
    const store = await fresh();
    await expect(store.present('key', { member: 'a', ttlMs })).rejects.toThrow(RangeError);
  });
}
