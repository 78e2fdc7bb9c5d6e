import { expect, test } from 'vitest';
import { responseHeadSchema } from './exchange.ts';

test.each([
  [{}, true],
  [{ 'content-type': 'text/plain', etag: '' }, true],
  [{ 'content-length': 5 }, false],
  [{ vary: ['accept'] }, false],
  [['accept'], false],
  [null, false],
  [undefined, false],
])('the headers %j are valid: %j', (headers, valid) => {
  expect(responseHeadSchema.safeParse({ status: 200, headers }).success).toBe(valid);
});
