import { expect, test } from 'vitest';
import { isUnread, type SendProgress, UnansweredEnd } from './unread.ts';

const errorOf = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code }, more);
const reset = errorOf('ECONNRESET', { syscall: 'read' });
const end = new UnansweredEnd();
const unwritten = errorOf('EPIPE', { syscall: 'write' });

/** Sent on a warm connection and long enough ago for the server to have read it. */
const sent: SendProgress = {
  wasSent: true,
  wasReadSince: true,
  isAnswered: false,
  isWarm: true,
  sinceSentMs: 1_000,
  roundTripMs: 40,
};

test.each<[string, boolean, Error, Partial<SendProgress>]>([
  ['a request that the system did not write', true, unwritten, {}],
  ['a request on a new connection that was not written', true, unwritten, { isWarm: false }],
  ['a reset found by the first read', true, reset, { wasReadSince: false }],
  ['an end found by the first read', false, end, { wasReadSince: false }],
  ['an end before the whole request was written', true, end, { wasSent: false, sinceSentMs: Infinity }],
  ['the same on a new connection', false, end, { wasSent: false, sinceSentMs: Infinity, isWarm: false }],
  ['an end sooner than a round trip', true, end, { sinceSentMs: 39.9 }],
  ['an end within the variation of a round trip', true, end, { sinceSentMs: 49.9 }],
  ['an end after the variation of a round trip', false, end, { sinceSentMs: 50 }],
  ['an end within the most variation', true, end, { roundTripMs: 200, sinceSentMs: 209.9 }],
  ['an end after the most variation', false, end, { roundTripMs: 200, sinceSentMs: 210 }],
  ['a reset sooner than a round trip', true, reset, { sinceSentMs: 39.9 }],
  ['a reset after a round trip', false, reset, { sinceSentMs: 50 }],
  ['an end on a new connection', false, end, { sinceSentMs: 1, isWarm: false }],
  ['an end after the first byte of an answer', false, end, { sinceSentMs: 1, isAnswered: true }],
  ['a reset after the first byte of an answer', false, reset, { wasReadSince: false, isAnswered: true }],
  ['an end where no round trip is known', false, end, { sinceSentMs: 0, roundTripMs: 0 }],
  ['a timeout', false, errorOf('UND_ERR_CONNECT_TIMEOUT'), { wasSent: false }],
  ['a refused connection', false, errorOf('ECONNREFUSED'), { wasSent: false, isWarm: false }],
])('%s: %s', (_name, unread, error, progress) => {
  expect(isUnread(error, { ...sent, ...progress })).toBe(unread);
});
