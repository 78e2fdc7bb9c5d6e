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

test('the number of waiting turns and their waiting time are limited', async () => {
  const turns = createFairTurns({ atOnce: 1, maxWaiting: 2, waitMs: 50 });
  const end = await turns.wait('a');
  const waiting = [turns.wait('a'), turns.wait('a'), turns.wait('a'), turns.wait('b')];
  expect(await waiting[2]).toBeUndefined();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined, undefined]);
  end?.();
  for (const name of ['a', 'b', 'a']) (await turns.wait(name))!();
});
