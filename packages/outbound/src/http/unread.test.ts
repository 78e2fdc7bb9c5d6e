import { expect, test } from 'vitest';
import { isUnread, type SendProgress, UnansweredEnd } from './unread.ts';

const errorOf = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more });
const reset = errorOf('ECONNRESET', { syscall: 'read' });
const unwritten = errorOf('EPIPE', { syscall: 'write' });
const endAfter = (ms: number, cause?: Error) => new UnansweredEnd(ms, cause);

const sent: SendProgress = { wasSent: true, isAnswered: false, isWarm: true, roundTripMs: 40 };

test.each<[string, boolean, Error, Partial<SendProgress>]>([
  ['a request that the system did not write', true, endAfter(1_000, unwritten), {}],
  ['a request on a new connection that was not written', true, endAfter(1_000, unwritten), { isWarm: false }],
  ['an end before the whole request was written', true, endAfter(1_000), { wasSent: false }],
  ['the same on a new connection', false, endAfter(1_000), { wasSent: false, isWarm: false }],
  ['a reset before any of it was written', true, reset, { wasSent: false }],
  ['a reset after the first bytes of an answer', false, reset, {}],
  ['an end sooner than a round trip', true, endAfter(39.9), {}],
  ['an end after a round trip', false, endAfter(40), {}],
  ['a reset sooner than a round trip', true, endAfter(39.9, reset), {}],
  ['a reset after a round trip', false, endAfter(40, reset), {}],
  ['an end on a new connection', false, endAfter(1), { isWarm: false }],
  ['an end after the first byte of an answer', false, endAfter(1), { isAnswered: true }],
  ['a write that fails after the first byte of an answer', false, endAfter(1, unwritten), { isAnswered: true }],
  ['an end where no round trip is known', false, endAfter(0), { roundTripMs: 0 }],
  ['a reset where no round trip is known', false, endAfter(0, reset), { roundTripMs: 0 }],
  ['a timeout', false, errorOf('UND_ERR_CONNECT_TIMEOUT'), { wasSent: false }],
  ['a refused connection', false, errorOf('ECONNREFUSED'), { wasSent: false, isWarm: false }],
])('%s: %s', (_name, unread, error, progress) => {
  expect(isUnread(error, { ...sent, ...progress })).toBe(unread);
});
