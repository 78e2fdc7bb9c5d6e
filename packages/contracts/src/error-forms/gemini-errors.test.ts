import { expect, test } from 'vitest';
import { type ErrorCode, errorTable, GatewayError } from '../errors.ts';
import { geminiErrors } from './gemini-errors.ts';

const expected: Partial<Record<ErrorCode, [number, string]>> = {
  invalid_api_key: [400, 'INVALID_ARGUMENT'],
  budget_exceeded: [400, 'FAILED_PRECONDITION'],
  invalid_credentials: [401, 'UNAUTHENTICATED'],
  permission_denied: [403, 'PERMISSION_DENIED'],
  model_not_found: [404, 'NOT_FOUND'],
  not_found: [404, 'NOT_FOUND'],
  thread_not_found: [404, 'NOT_FOUND'],
  conflict: [409, 'ABORTED'],
  idempotency_conflict: [409, 'ABORTED'],
  rate_limit_exceeded: [429, 'RESOURCE_EXHAUSTED'],
  providers_rate_limited: [429, 'RESOURCE_EXHAUSTED'],
  client_closed_request: [499, 'CANCELLED'],
  internal_error: [500, 'INTERNAL'],
  upstream_timeout: [504, 'DEADLINE_EXCEEDED'],
  deadline_exceeded: [504, 'DEADLINE_EXCEEDED'],
  overloaded: [503, 'UNAVAILABLE'],
};

test.each(Object.entries(errorTable))('%s has the status and the name that Google uses', (name, { status: own }) => {
  const { status, body } = geminiErrors.error(new GatewayError(name as ErrorCode, 'Because.'), 'r1');
  const [code, wanted] = expected[name as ErrorCode] ?? [own, own < 500 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE'];
  expect(status).toBe(code);
  expect(body).toMatchObject({ error: { code, message: 'Because.', status: wanted } });
});

const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;

test('a wrong key has the reason by which clients know it', () => {
  const { body } = geminiErrors.error(new GatewayError('invalid_api_key', 'Wrong.'), 'r1');
  expect(body).toEqual({
    error: {
      code: 400,
      message: 'Wrong.',
      status: 'INVALID_ARGUMENT',
      details: [
        { '@type': type('ErrorInfo'), reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
        { '@type': type('RequestInfo'), requestId: 'r1' },
      ],
    },
  });
});

test('a limit says when to retry, and a wrong member where it is', () => {
  const error = new GatewayError('rate_limit_exceeded', 'Slow down.', { retryAfterMs: 33_100, param: 'contents' });
  expect(geminiErrors.error(error, 'r1').body).toMatchObject({
    error: {
      details: [
        { '@type': type('BadRequest'), fieldViolations: [{ field: 'contents', description: 'Slow down.' }] },
        { '@type': type('RetryInfo'), retryDelay: '34s' },
        { '@type': type('RequestInfo'), requestId: 'r1' },
      ],
    },
  });
});

test('the last event of a lost stream has the error', () => {
  const event = geminiErrors.lastEvent(new GatewayError('unavailable', 'Gone.'));
  expect(event).toBe('data: {"error":{"code":503,"message":"Gone.","status":"UNAVAILABLE"}}\n\n');
});
