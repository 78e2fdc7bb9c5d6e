import { expect, test } from 'vitest';
import { readOnceKey } from './read-key.ts';

const keyOf = (headers: Record<string, string>, accountId: string | undefined = 'account') =>
  readOnceKey({
    requestId: 'req',
    timeoutMs: 1,
    headers,
    ...(accountId && { principal: { accountId, keyId: 'key' } }),
  });

test('a request without a key is not protected', () => {
  expect(keyOf({})).toBeUndefined();
  expect(keyOf({ 'last-event-id': '7' })).toBeUndefined();
});

test('a key belongs to its account, whichever of its API keys is used', () => {
  const name = keyOf({ 'idempotency-key': 'a' })?.name;
  expect(name).toMatch(/^once:account:[\w-]{43}$/);
  expect(keyOf({ 'idempotency-key': 'a' }, 'other')?.name).not.toBe(name);
  expect(keyOf({ 'idempotency-key': 'b' })?.name).not.toBe(name);
});

test.each([['a'], ['a'.repeat(255)], ['~!"#'], ['0c7e6a0e-1f57-4b1c-9d4c-0a9cb7a3d1f4']])('%j is a key', (key) => {
  expect(keyOf({ 'idempotency-key': key })).toMatchObject({ after: undefined });
});

test.each([[''], ['a'.repeat(256)], ['a b'], ['ä'], ['\u007f'], ['a\tb']])('%j is not a key', (key) => {
  expect(() => keyOf({ 'idempotency-key': key })).toThrow(
    expect.objectContaining({ code: 'invalid_parameters', param: 'Idempotency-Key' }),
  );
});

test('Last-Event-ID must be one of our event ids', () => {
  expect(keyOf({ 'idempotency-key': 'a', 'last-event-id': '12' })?.after).toBe(12);
  for (const last of ['', '-1', '1.5', 'x', '1234567890']) {
    expect(() => keyOf({ 'idempotency-key': 'a', 'last-event-id': last })).toThrow(
      expect.objectContaining({ code: 'invalid_parameters', param: 'Last-Event-ID' }),
    );
  }
});
