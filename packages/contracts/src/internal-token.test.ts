import { describe, expect, test } from 'vitest';
import { readInternalToken, signInternalToken } from './internal-token.ts';

const secret = 'a-secret-of-the-tests-with-32-characters';
const newSecret = 'another-secret-of-the-tests-of-that-length';
const principal = { accountId: 'acc_1', keyId: 'key_1', allowedModels: ['sandbox-chat'] };
const limits = { key: { requestsPerMinute: { chat: 1 } } };
const at = Date.UTC(2026, 0, 1);
const token = signInternalToken({ principal, limits, scopes: ['mcp:tools'], requestId: 'req_1' }, secret, at);
const check = { requestId: 'req_1', secrets: [secret], now: at };

describe('the token that edge signs for the services behind it', () => {
  test('carries the principal, its limits and the scopes, and nothing else', () => {
    expect(readInternalToken(token, check)).toEqual({ principal, limits, scopes: ['mcp:tools'] });
    const ofKey = signInternalToken({ principal, limits: {}, requestId: 'req_1' }, secret, at);
    expect(readInternalToken(ofKey, check)).toEqual({ principal, limits: {} });
  });

  test('is valid for 30 seconds plus one minute of clock skew, and not a millisecond longer', () => {
    const good = { principal, limits, scopes: ['mcp:tools'] };
    expect(readInternalToken(token, { ...check, now: at - 60_000 })).toEqual(good);
    expect(readInternalToken(token, { ...check, now: at + 89_999 })).toEqual(good);
    expect(readInternalToken(token, { ...check, now: at + 90_000 })).toBe('too_old');
  });

  test('is reported as too old only for its own request and a known secret', () => {
    const later = { ...check, now: at + 90_000 };
    expect(readInternalToken(token, { ...later, requestId: 'req_2' })).toBeUndefined();
    expect(readInternalToken(token, { ...later, secrets: [newSecret] })).toBeUndefined();
  });

  test('is valid for its own request only', () => {
    expect(readInternalToken(token, { ...check, requestId: 'req_2' })).toBeUndefined();
    expect(readInternalToken(token, { ...check, requestId: undefined })).toBeUndefined();
  });

  test('is accepted with either secret while secrets are rotated', () => {
    expect(readInternalToken(token, { ...check, secrets: [newSecret, secret] })).toBeDefined();
    expect(readInternalToken(token, { ...check, secrets: [newSecret] })).toBeUndefined();
  });

  const [payload = '', mac = ''] = token.split('.');
  const forged = Buffer.from(
    JSON.stringify({ principal: { accountId: 'other', keyId: 'k' }, requestId: 'req_1', expiresAt: at + 1e6 }),
  ).toString('base64url');
  test.each([
    ['nothing', ''],
    ['no signature', payload],
    ['an empty signature', `${payload}.`],
    ['a short signature', `${payload}.${mac.slice(0, 10)}`],
    ['a changed signature', `${payload}.${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`],
    ['another payload', `${forged}.${mac}`],
    ['a third part', `${token}.${mac}`],
    ['NUL characters', '\0.\0'],
  ])('%s is refused', (_name, text) => {
    expect(readInternalToken(text, check)).toBeUndefined();
  });
});
