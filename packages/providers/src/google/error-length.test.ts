import { expect, test } from 'vitest';
import { growthOf, highestGrowth } from '../../../../tests/support/growth.ts';
import { geminiFault } from './error.ts';

const judged = (message: string) =>
  geminiFault({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }, 'google')?.code;
const longMessage = (length: number): string => 'token count '.repeat(length / 12);

test('classifies a message of any length in a time that grows with it', () => {
  expect(judged('The input token count (9) exceeds the maximum of 8.')).toBe('context_length_exceeded');
  expect(judged(longMessage(24_000))).toBe('invalid_parameters');
  expect(growthOf(judged, longMessage, 24_000)).toBeLessThanOrEqual(highestGrowth);
});
