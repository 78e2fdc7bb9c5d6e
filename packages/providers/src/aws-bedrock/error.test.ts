import { describe, expect, test } from 'vitest';
import { awsBedrock } from './chat.ts';

describe('errors', () => {
  test.each<[number, string, string, object]>([
    [400, 'ValidationException', 'Bad value.', { code: 'invalid_parameters', status: 400, domain: 'caller' }],
    [
      400,
      'ValidationException:http://internal.amazon.com/coral/',
      'Input is too long for requested model.',
      { code: 'context_length_exceeded', status: 400, domain: 'caller' },
    ],
    [
      400,
      'ValidationException',
      "Invocation of model ID m with on-demand throughput isn't supported.",
      { code: 'upstream_error', status: 502, domain: 'provider' },
    ],
    [
      400,
      'ValidationException',
      'Output blocked by content filtering policy',
      { code: 'content_policy_violation', domain: 'policy' },
    ],
    [403, 'AccessDeniedException', 'No access.', { code: 'upstream_auth', status: 502, domain: 'provider' }],
    [403, 'UnrecognizedClientException', 'Invalid token.', { code: 'upstream_auth', domain: 'provider' }],
    [403, 'InvalidSignatureException', 'Does not match.', { code: 'upstream_auth', domain: 'provider' }],
    [404, 'ResourceNotFoundException', 'No such model.', { code: 'upstream_error', domain: 'provider' }],
    [408, 'ModelTimeoutException', 'Too slow.', { code: 'upstream_timeout', domain: 'provider' }],
    [424, 'ModelErrorException', 'Broken.', { code: 'upstream_error', domain: 'provider' }],
    [429, 'ThrottlingException', 'Too many.', { code: 'upstream_error', domain: 'provider', retryAfterMs: 3_000 }],
    [429, 'ModelNotReadyException', 'Waking up.', { code: 'upstream_error', domain: 'provider' }],
    [500, 'InternalServerException', 'Oops.', { code: 'upstream_error', domain: 'provider' }],
    [503, 'ServiceUnavailableException', 'Away.', { code: 'upstream_error', domain: 'provider' }],
  ])('%i %s: %s', (status, type, message, expected) => {
    const headers = { 'x-amzn-errortype': type, 'retry-after': '3' };
    expect(awsBedrock.error(status, headers, { message })).toMatchObject(expected);
    expect(awsBedrock.error(status, headers, { Message: message })).toMatchObject(expected);
  });
});
