import { expect, test } from 'vitest';
import { cacheText, duration, endReasonText } from './words.ts';

test.each([
  [0, '0 ms'],
  [9.94, '9.9 ms'],
  [9.95, '10 ms'],
  [999.4, '999 ms'],
  [999.5, '1.00 s'],
  [59_994, '59.99 s'],
  [59_995, '1 min 0 s'],
  [125_400, '2 min 5 s'],
])('writes %d milliseconds as %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('shows reasons of a newer version as they are', () => {
  expect([endReasonText('new_end'), cacheText('new_use')]).toEqual(['new end', 'new use']);
});
