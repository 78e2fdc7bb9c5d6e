import { expect, test } from 'vitest';
import { readInternalToken, signInternalToken } from './internal-token.ts';
import { readVisitorToken, signVisitorToken } from './visitor-token.ts';

const secret = 'a-secret-of-the-tests-with-32-characters';
const at = Date.UTC(2026, 0, 1);
const visitor = { address: '192.0.2.1', publicOrigin: 'https://gateway.example' };
const check = { requestId: 'req_1', secrets: [secret], now: at };
const token = signVisitorToken({ ...visitor, requestId: 'req_1' }, secret, at);

test('carries the origin of a request, for this request only, and expires like any internal token', () => {
  expect(readVisitorToken(token, check)).toEqual(visitor);
  expect(readVisitorToken(token, { ...check, requestId: 'req_2' })).toBeUndefined();
  expect(readVisitorToken(token, { ...check, secrets: ['x'.repeat(32)] })).toBeUndefined();
  expect(readVisitorToken(token, { ...check, now: at + 89_999 })).toEqual(visitor);
  expect(readVisitorToken(token, { ...check, now: at + 90_000 })).toBe('too_old');
});

test('is not accepted as an internal token, nor an internal token as a visitor token', () => {
  const bearer = { principal: { accountId: 'acc_1', keyId: 'key_1' }, limits: {}, requestId: 'req_1' };
  expect(readVisitorToken(signInternalToken({ ...bearer, ...visitor }, secret, at), check)).toBeUndefined();
  expect(readInternalToken(token, check)).toBeUndefined();
});
