import { describe, expect, test } from 'vitest';
import { readVisitorToken, signVisitorToken } from './visitor-token.ts';

const secret = 'a-secret-of-the-tests-with-32-characters';
const newSecret = 'another-secret-of-the-tests-of-that-length';
const at = Date.UTC(2026, 0, 1);
const visitor = { address: '192.0.2.1', publicOrigin: 'https://gateway.example' };
const check = { requestId: 'req_1', secrets: [secret], now: at };
const token = signVisitorToken({ ...visitor, requestId: 'req_1' }, secret, at);

describe('the token that edge signs for a service behind it', () => {
  test('carries the origin of a request, and nothing else', () => {
    expect(readVisitorToken(token, check)).toEqual(visitor);
  });

  test('is valid for 30 seconds plus one minute of clock skew, and not a millisecond longer', () => {
    expect(readVisitorToken(token, { ...check, now: at - 60_000 })).toEqual(visitor);
    expect(readVisitorToken(token, { ...check, now: at + 89_999 })).toEqual(visitor);
    expect(readVisitorToken(token, { ...check, now: at + 90_000 })).toBe('too_old');
  });

  test('is reported as too old only for its own request and a known secret', () => {
    const later = { ...check, now: at + 90_000 };
    expect(readVisitorToken(token, { ...later, requestId: 'req_2' })).toBeUndefined();
    expect(readVisitorToken(token, { ...later, secrets: [newSecret] })).toBeUndefined();
  });

  test('is valid for its own request only', () => {
    expect(readVisitorToken(token, { ...check, requestId: 'req_2' })).toBeUndefined();
    expect(readVisitorToken(token, { ...check, requestId: undefined })).toBeUndefined();
  });

  test('is accepted with either secret while secrets are rotated', () => {
    expect(readVisitorToken(token, { ...check, secrets: [newSecret, secret] })).toBeDefined();
    expect(readVisitorToken(token, { ...check, secrets: [newSecret] })).toBeUndefined();
  });

  const [payload = '', mac = ''] = token.split('.');
  const forged = Buffer.from(
    JSON.stringify({ ...visitor, address: '127.0.0.1', requestId: 'req_1', expiresAt: at + 1e6 }),
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
    expect(readVisitorToken(text, check)).toBeUndefined();
  });
});
