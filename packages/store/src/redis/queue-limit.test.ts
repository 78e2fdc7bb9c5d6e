import { expect, test } from 'vitest';
import { createQueueLimit } from './queue-limit.ts';

test('admits up to the limit, refuses one byte more, and frees room when work settles', async () => {
  const limit = createQueueLimit({ mostBytes: 10, mostCommands: 3 });
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const running = [limit.admit(6, () => first.promise), limit.admit(4, () => second.promise)];
  await expect(limit.admit(1, async () => 'third')).rejects.toThrow('queue is full');
  first.resolve('first');
  second.reject(new Error('second'));
  expect(await Promise.allSettled(running)).toMatchObject([{ value: 'first' }, { reason: { message: 'second' } }]);
  expect(await limit.admit(10, async () => 'fourth')).toBe('fourth');
});

test('admits so many commands, and not one more', async () => {
  const limit = createQueueLimit({ mostBytes: 10, mostCommands: 2 });
  const first = Promise.withResolvers<string>();
  const running = [limit.admit(0, () => first.promise), limit.admit(0, () => first.promise)];
  await expect(limit.admit(0, async () => 'third')).rejects.toThrow('queue is full');
  first.resolve('first');
  expect(await Promise.all(running)).toEqual(['first', 'first']);
  expect(await limit.admit(0, async () => 'fourth')).toBe('fourth');
});
