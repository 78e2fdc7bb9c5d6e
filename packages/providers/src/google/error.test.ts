import { describe, expect, test } from 'vitest';
import { contextOf, translate } from '../testing/translate.ts';
import { google } from './chat.ts';

const body = (code: number, status: string, message = 'No.', details: unknown[] = []) => ({
  error: { code, message, status, details },
});
const keyInvalid = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };
const retryInfo = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });

test.each<[string, number, unknown, string, string]>([
  ['a bad request', 400, body(400, 'INVALID_ARGUMENT'), 'invalid_parameters', 'caller'],
  ['a bad key', 400, body(400, 'INVALID_ARGUMENT', 'No.', [keyInvalid]), 'upstream_auth', 'provider'],
  [
    'a bad key, by its message',
    400,
    body(400, 'INVALID_ARGUMENT', 'API key not valid. Please'),
    'upstream_auth',
    'provider',
  ],
  ['a region or billing', 400, body(400, 'FAILED_PRECONDITION'), 'upstream_auth', 'provider'],
  [
    'a prompt that is too long',
    400,
    body(400, 'INVALID_ARGUMENT', 'The input token count (9) exceeds the maximum number of tokens allowed (8).'),
    'context_length_exceeded',
    'caller',
  ],
  ['a key without permission', 403, body(403, 'PERMISSION_DENIED'), 'upstream_auth', 'provider'],
  ['an unknown model', 404, body(404, 'NOT_FOUND'), 'upstream_error', 'provider'],
  ['limits', 429, body(429, 'RESOURCE_EXHAUSTED'), 'upstream_error', 'provider'],
  ['cancelled', 499, body(499, 'CANCELLED'), 'upstream_error', 'provider'],
  ['overloaded', 503, body(503, 'UNAVAILABLE', 'The model is overloaded'), 'upstream_error', 'provider'],
  ['too late', 504, body(504, 'DEADLINE_EXCEEDED'), 'upstream_timeout', 'provider'],
  ['in a list', 400, [body(400, 'INVALID_ARGUMENT', 'No.', [keyInvalid])], 'upstream_auth', 'provider'],
])('%s', (_name, status, answer, code, domain) => {
  expect(google.error(status, {}, answer)).toMatchObject({ code, domain });
});

test.each<[string, Record<string, string>, unknown[], number | undefined]>([
  ['in a header', { 'retry-after': '2' }, [retryInfo('34.4s')], 2_000],
  ['among the details', {}, [keyInvalid, retryInfo('34.4s')].slice(1), 34_400],
  ['at most a day', {}, [retryInfo('999999999s')], 86_400_000],
  ['not a number', {}, [retryInfo('soon')], undefined],
])('retry-after %s', (_name, headers, details, retryAfterMs) => {
  expect(google.error(429, headers, body(429, 'RESOURCE_EXHAUSTED', 'No.', details)).retryAfterMs).toBe(retryAfterMs);
});

describe.each<[string, unknown, string, number | undefined]>([
  ['limits', body(429, 'RESOURCE_EXHAUSTED', 'No.', [retryInfo('1s')]), 'upstream_error', 1_000],
  ['a bad key', body(400, 'INVALID_ARGUMENT', 'No.', [keyInvalid]), 'upstream_auth', undefined],
  ['an error without a code', { error: { message: 'No.' } }, 'upstream_error', undefined],
])('%s with status 200', (_name, answer, code, retryAfterMs) => {
  const expected = expect.objectContaining({ code, domain: 'provider', retryAfterMs });

  test('instead of an answer', () => {
    expect(() => google.response(answer, contextOf(google))).toThrow(expected);
  });

  test('in the middle of a stream', () => {
    expect(() => translate(google, [Buffer.from(`data: ${JSON.stringify(answer)}\r\n\r\n`)])).toThrow(expected);
  });
});

test('treats an error event that is not JSON as an error', () => {
  expect(() => translate(google, [Buffer.from('event: error\ndata: gone\n\n')])).toThrow(
    expect.objectContaining({ code: 'upstream_error', message: expect.stringContaining('gone') }),
  );
});
