import { expect, test } from 'vitest';
import { LateError, withDeadline } from './deadline.ts';
import { patient } from '../../../tests/support/patience.ts';

test('returns a result or error that arrives in time', async () => {
  await expect(withDeadline(1_000, Promise.resolve(7))).resolves.toBe(7);
  await expect(withDeadline(1_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('rejects after the limit', async () => {
  const from = performance.now();
  await expect(withDeadline(20, new Promise(() => {}))).rejects.toThrow(LateError);
  expect(performance.now() - from).toBeLessThan(patient(5_000));
});

test('ignores later results and errors', async () => {
  const work = Promise.withResolvers<number>();
  await expect(withDeadline(5, work.promise)).rejects.toThrow('no answer within 5 ms');
  work.reject(new Error('too late to matter'));
  await expect(work.promise).rejects.toThrow();
});

test.each([
  ['has arrived', () => new Promise(setImmediate)],
  ['could not be requested yet', () => Promise.resolve()],
])('does not time out because this process was blocked, when the answer %s', async (_, progress) => {
  const answer = withDeadline(200, afterSomeTurns());
  await progress();
  const until = performance.now() + 260;
  while (performance.now() < until);
  await expect(answer).resolves.toBe('answer');
});

async function afterSomeTurns(): Promise<string> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  return 'answer';
}
