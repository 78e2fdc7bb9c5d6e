import { expect, test } from 'vitest';
import type { QueueStep, Store } from '../store.ts';
import type { Fresh } from './fresh.ts';

const minute = 60_000;
const waiting = { interval: 5 };

const put = (member: string, dueInMs = 0, most = 10): QueueStep => ({
  kind: 'put',
  member,
  dueInMs,
  most,
  keepMs: minute,
});
const take = (most = 10, holdMs = minute): QueueStep => ({ kind: 'take', most, holdMs });
const steps = async (store: Store, all: readonly QueueStep[]) => {
  const results: (string[] | undefined)[] = [];
  for (const step of all) results.push(await store.queue('queue', step));
  return results;
};

export function queueTests(fresh: Fresh): void {
  test('returns due entries once, those that are due first before others', async () => {
    const store = await fresh();
    await steps(store, [put('later', minute), put('a')]);
    await expect.poll(() => store.queue('queue', put('b')), waiting).toEqual(['b']);
    expect(await steps(store, [take(1), take(), take()])).toEqual([['a'], ['b'], []]);
    expect(await store.queue('other', take())).toEqual([]);
  });

  test('gives an entry to exactly one of concurrent takers', async () => {
    const store = await fresh();
    await Promise.all(Array.from({ length: 8 }, (_, index) => store.queue('queue', put(`m${index}`))));
    const taken = await Promise.all(Array.from({ length: 20 }, () => store.queue('queue', take(1))));
    expect(taken.flat().sort()).toEqual(Array.from({ length: 8 }, (_, index) => `m${index}`));
  });

  test('gives an entry to another taker once its hold has passed, unless it was moved or removed', async () => {
    const store = await fresh();
    await steps(store, [put('dead'), put('alive'), put('done'), take(10, 40)]);
    await steps(store, [put('alive', minute), { kind: 'remove', member: 'done' }]);
    await expect.poll(() => store.queue('queue', take()), waiting).toEqual(['dead']);
    expect(await store.queue('queue', take())).toEqual([]);
  });

  test('accepts the last entry of its bound, and none beyond; entries in it can be moved', async () => {
    const store = await fresh();
    const results = await steps(store, [put('a', 0, 2), put('b', 0, 2), put('c', 0, 2), put('a', minute, 2), take()]);
    expect(results).toEqual([['a'], ['b'], [], ['a'], ['b']]);
  });

  test('is forgotten after its time', async () => {
    const store = await fresh();
    await store.queue('queue', { kind: 'put', member: 'a', dueInMs: minute, most: 1, keepMs: 40 });
    await expect.poll(() => store.queue('queue', put('b', 0, 1)), waiting).toEqual(['b']);
  });

  test.each<QueueStep>([
    { kind: 'put', member: 'a', dueInMs: -1, most: 1, keepMs: minute },
    { kind: 'put', member: 'a', dueInMs: 0, most: 0.5, keepMs: minute },
    { kind: 'put', member: 'a', dueInMs: 0, most: 1, keepMs: 0 },
    { kind: 'take', most: 0, holdMs: minute },
    { kind: 'take', most: 1, holdMs: 0 },
  ])('refuses %j', async (step) => {
    const store = await fresh();
    await expect(store.queue('queue', step)).rejects.toThrow(RangeError);
  });
}
