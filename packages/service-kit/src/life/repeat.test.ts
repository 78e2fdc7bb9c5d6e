import { expect, test } from 'vitest';
import { repeat } from './repeat.ts';

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('EMFILE');
    },
  ],
  ['rejects', () => Promise.reject(new Error('EMFILE'))],
])('work that %s is reported and done again, until it is stopped', async (_name, fail) => {
  const failures: unknown[] = [];
  let count = 0;
  const stop = repeat({ everyMs: 1, onFailed: (error) => failures.push(error) }, () => {
    count += 1;
    return fail();
  });
  await expect.poll(() => failures.length).toBeGreaterThan(2);
  stop();
  const stopped = count;
  // Pause: work that went on would be seen in this time.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(count).toBe(stopped);
  expect(failures).toEqual(Array(stopped).fill(new Error('EMFILE')));
});
