import { expect, test } from 'vitest';
import { createReadingPace } from './reading-pace.ts';

test('what is taken beyond the amount at once waits until it is earned', () => {
  let now = 0;
  const pace = createReadingPace({ perSecond: 1_000, atOnce: 4_000 }, () => now);
  expect([pace.take(4_000), pace.take(1), pace.take(999)]).toEqual([0, 1, 1_000]);
  now = 2_000;
  expect([pace.take(1_000), pace.take(500)]).toEqual([0, 500]);
  now = 1_000_000;
  expect([pace.take(4_000), pace.take(1)]).toEqual([0, 1]);
});
