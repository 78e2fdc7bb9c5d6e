import { describe, expect, test } from 'vitest';
import { contextOf, translate } from '../testing/translate.ts';
import { anthropic } from './chat.ts';

const body = (type: string, message = 'No.') => ({ type: 'error', error: { type, message }, request_id: 'req_1' });

describe('error responses', () => {
  test.each([
    [400, 'invalid_request_error', 'No.', 'invalid_parameters', 'caller'],
    [400, 'invalid_request_error', 'prompt is too long: 2 tokens > 1 maximum', 'context_length_exceeded', 'caller'],
    [400, 'invalid_request_error', 'Output blocked by content filtering policy', 'content_policy_violation', 'policy'],
    [400, 'invalid_request_error', 'Your credit balance is too low to access', 'upstream_auth', 'provider'],
    [401, 'authentication_error', 'invalid x-api-key', 'upstream_auth', 'provider'],
    [402, 'billing_error', 'No.', 'upstream_auth', 'provider'],
    [403, 'permission_error', 'No.', 'upstream_auth', 'provider'],
    [404, 'not_found_error', 'model: x', 'upstream_error', 'provider'],
    [413, 'request_too_large', 'No.', 'request_too_large', 'caller'],
    [429, 'rate_limit_error', 'No.', 'upstream_error', 'provider'],
    [500, 'api_error', 'No.', 'upstream_error', 'provider'],
    [504, 'timeout_error', 'No.', 'upstream_timeout', 'provider'],
    [529, 'overloaded_error', 'Overloaded', 'upstream_error', 'provider'],
  ])('%i %s (%s) is %s', (status, type, message, code, domain) => {
    expect(anthropic.error(status, {}, body(type, message))).toMatchObject({ code, domain });
  });
});

describe('retry-after', () => {
  const now = { date: 'Fri, 20 Nov 2026 12:00:00 GMT' };
  const limit = (name: string, remaining: string, reset: string) => ({
    [`anthropic-ratelimit-${name}-remaining`]: remaining,
    [`anthropic-ratelimit-${name}-reset`]: reset,
  });

  test.each<[string, Record<string, string>, number | undefined]>([
    ['told', { 'retry-after': '7', ...now, ...limit('tokens', '0', '2026-11-20T12:01:00Z') }, 7_000],
    ['is when the exhausted limit resets', { ...now, ...limit('requests', '0', '2026-11-20T12:00:30Z') }, 30_000],
    [
      'is when the last exhausted limit resets',
      {
        ...now,
        ...limit('tokens', '0', '2026-11-20T12:00:20Z'),
        ...limit('input-tokens', '0', '2026-11-20T12:00:40Z'),
      },
      40_000,
    ],
    ['ignores limits that are not exhausted', { ...now, ...limit('tokens', '1', '2026-11-20T12:01:00Z') }, undefined],
    ['never backwards', { ...now, ...limit('tokens', '0', '2026-11-20T11:00:00Z') }, 0],
    ['is at most a day', { ...now, ...limit('tokens', '0', '2027-11-20T11:00:00Z') }, 86_400_000],
    ['is unknown without a date header', limit('tokens', '0', '2026-11-20T12:01:00Z'), undefined],
  ])('%s', (_name, headers, retryAfterMs) => {
    expect(anthropic.error(429, headers, body('rate_limit_error')).retryAfterMs).toBe(retryAfterMs);
  });
});

describe.each([
  ['overloaded_error', 'upstream_error', 'provider'],
  ['invalid_request_error', 'invalid_parameters', 'caller'],
  ['authentication_error', 'upstream_auth', 'provider'],
  ['something_new', 'upstream_error', 'provider'],
])('%s with status 200 is %s', (type, code, domain) => {
  const expected = expect.objectContaining({ code, domain });

  test('instead of an answer', () => {
    expect(() => anthropic.response(body(type), contextOf(anthropic))).toThrow(expected);
  });

  test('in the middle of a stream', () => {
    const bytes = Buffer.from(`event: error\ndata: ${JSON.stringify(body(type))}\n\n`);
    expect(() => translate(anthropic, [bytes])).toThrow(expected);
  });
});

test('treats an error event that is not JSON as an error', () => {
  expect(() => translate(anthropic, [Buffer.from('event: error\ndata: gone\n\n')])).toThrow(
    expect.objectContaining({ code: 'upstream_error', message: expect.stringContaining('gone') }),
  );
});
