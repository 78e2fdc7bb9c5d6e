import { expect, test } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('names alternate, with one turn at a time each', async () => {
  const turns = createFairTurns({ atOnce: 2, maxWaiting: 10, waitMs: 10_000 });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  for (const name of ['a', 'a', 'a', 'b', 'b', 'c']) {
    void turns.wait(name).then((end) => {
      order.push(name);
      ends.push(end!);
    });
  }
  await settled();
  expect(order).toEqual(['a', 'b']);
  while (ends.length > 0) {
    ends.shift()?.();
    await settled();
  }
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  expect(await turns.wait('a')).toEqual(expect.any(Function));
});

test('a name has so many turns at a time, and no more', async () => {
  const turns = createFairTurns({ atOnce: 10, eachAtOnce: 2, maxWaiting: 10, waitMs: 10_000 });
  let begun = 0;
  const ends = ['a', 'a', 'a', 'a'].map((name) => turns.wait(name).finally(() => (begun += 1)));
  await settled();
  expect(begun).toBe(2);
  (await ends[0])!();
  await settled();
  expect(begun).toBe(3);
  for (const end of ends.slice(1)) (await end)!();
  expect(begun).toBe(4);
});

test('the number of waiting turns and their waiting time are limited', async () => {
  const turns = createFairTurns({ atOnce: 1, maxWaiting: 2, waitMs: 50 });
  const end = await turns.wait('a');
  const waiting = [turns.wait('a'), turns.wait('a'), turns.wait('a'), turns.wait('b')];
  expect(await waiting[2]).toBeUndefined();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined, undefined]);
  end?.();
  for (const name of ['a', 'b', 'a']) (await turns.wait(name))!();
});
