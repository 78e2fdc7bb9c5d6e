import { expect, test } from 'vitest';
import { spanText } from './span-text.ts';

test.each([
  [0, '1 s'],
  [89_400, '89 s'],
  [90_000, '2 min'],
  [95 * 60_000, '95 min'],
  [120 * 60_000, '2 h'],
  [24 * 60 * 60_000, '24 h'],
])('%i ms last %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});
