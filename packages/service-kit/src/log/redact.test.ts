import { describe, expect, test } from 'vitest';
import { growthOf, highestGrowth } from '../../../../tests/support/growth.ts';
import { createRedact, redactHeaders } from './redact.ts';

describe('text loses', () => {
  test.each([
    ['an API key', 'Incorrect key sk-proj-abc_DEF123456 given', 'Incorrect key sk-[redacted] given'],
    ['a bearer token', 'authorization: Bearer abcdef.ghijkl==', 'authorization: Bearer [redacted]'],
    [
      'the credentials of an address',
      'connect to redis://user:p%40ss@cache:6379/0',
      'connect to redis://[redacted]@cache:6379/0',
    ],
    ['a key in a query', 'GET https://x/v1?a=1&key=AbCdEf&b=2', 'GET https://x/v1?a=1&key=[redacted]&b=2'],
    ['a signature', '/file?X-Amz-Signature=abc', '/file?X-Amz-Signature=[redacted]'],
    ['a secret of the configuration', 'the value was hunter2hunter2!', 'the value was [redacted]!'],
  ])('%s', (_what, text, shown) => {
    expect(createRedact(['hunter2hunter2', 'short'])(text)).toBe(shown);
  });
});

test('ordinary text is not changed', () => {
  const text = 'a short task-list: disk-full at https://example.com/a@b?page=2, mail me@example.com';
  expect(createRedact()(text)).toBe(text);
});

test('long text is cut before it is searched', () => {
  const longest = createRedact()('x'.repeat(8192));
  const longer = createRedact()('x'.repeat(8193));
  expect([longest.length, longer]).toEqual([8192, `${'x'.repeat(8192)}… (cut)`]);
});

test.each(['a', '://', '://a', 'Bearer ', '?key=', 'sk-'])(
  'the time for %j again and again grows with its length',
  (unit) => {
    const text = (length: number) => `://${unit.repeat(length / unit.length)}`;
    expect(growthOf(createRedact(), text, 8_000)).toBeLessThanOrEqual(highestGrowth);
  },
);

test('headers keep their names and lose their credentials', () => {
  expect(
    redactHeaders({ authorization: 'Bearer x', 'x-api-key': 'k', Cookie: 'c', 'x-goog-api-key': 'k', accept: '*/*' }),
  ).toEqual({
    authorization: '[redacted]',
    'x-api-key': '[redacted]',
    Cookie: '[redacted]',
    'x-goog-api-key': '[redacted]',
    accept: '*/*',
  });
  expect(redactHeaders(new Headers({ 'set-cookie': 'a=b', host: 'x' }))).toEqual({
    'set-cookie': '[redacted]',
    host: 'x',
  });
  expect(redactHeaders(undefined)).toBeUndefined();
});
