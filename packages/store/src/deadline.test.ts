import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { LateError, within } from './deadline.ts';

test('hands on what comes in time', async () => {
  await expect(within(1_000, Promise.resolve(7))).resolves.toBe(7);
  await expect(within(1_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('gives up after the limit', async () => {
  const from = performance.now();
  await expect(within(20, new Promise(() => {}))).rejects.toThrow(LateError);
  expect(performance.now() - from).toBeLessThan(500);
});

test('ignores what comes later, failures too', async () => {
  const work = Promise.withResolvers<number>();
  await expect(within(5, work.promise)).rejects.toThrow('no answer within 5 ms');
  work.reject(new Error('too late to matter'));
  await expect(work.promise).rejects.toThrow();
});

test('does not blame the other side for our own standstill', async () => {
  const answer = within(20, stat(import.meta.filename));
  // So that the timers come next, before what has arrived.
  await new Promise(setImmediate);
  const until = performance.now() + 60;
  while (performance.now() < until);
  await expect(answer).resolves.toMatchObject({ size: expect.any(Number) });
});
