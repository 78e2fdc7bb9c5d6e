import { expect, test } from 'vitest';
import { geminiFault } from './error.ts';

function judged(message: string) {
  const startedAt = performance.now();
  const fault = geminiFault({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }, 'google');
  return { code: fault?.code, ms: performance.now() - startedAt };
}

test('classifies a message of any length quickly', () => {
  expect(judged('The input token count (9) exceeds the maximum of 8.').code).toBe('context_length_exceeded');
  const { code, ms } = judged('token count '.repeat(20_000));
  expect(code).toBe('invalid_parameters');
  expect(ms).toBeLessThan(1_000);
});
