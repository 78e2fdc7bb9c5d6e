import { expect, test } from 'vitest';
import { createByteGate } from './byte-gate.ts';

test('admits up to the limit, refuses one byte more, and frees room when work settles', async () => {
  const gate = createByteGate(10);
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const running = [gate.admit(6, () => first.promise), gate.admit(4, () => second.promise)];
  await expect(gate.admit(1, async () => 'third')).rejects.toThrow('queue is full');
  first.resolve('first');
  second.reject(new Error('second'));
  expect(await Promise.allSettled(running)).toMatchObject([{ value: 'first' }, { reason: { message: 'second' } }]);
  expect(await gate.admit(10, async () => 'fourth')).toBe('fourth');
});
