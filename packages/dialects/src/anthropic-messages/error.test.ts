import Anthropic from '@anthropic-ai/sdk';
import { type ErrorCode, errorTable, GatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { messagesDialect } from './index.ts';

const errorOf = (code: ErrorCode, message = 'Because.') =>
  messagesDialect.errors.error(new GatewayError(code, message), 'r1');

const types: Partial<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

test.each(Object.entries(errorTable))('%s has the type of its status', (code, { status }) => {
  const { status: sent, body } = errorOf(code as ErrorCode);
  expect(sent).toBe(status);
  expect(body).toEqual({
    type: 'error',
    error: {
      type: types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
      message: expect.stringContaining('Because.'),
      ...(['storage_quota_exceeded', 'thread_not_found'].includes(code) && { details: { error_code: code } }),
    },
    request_id: 'r1',
  });
});

test.each<[ErrorCode, string, string]>([
  ['context_length_exceeded', 'It takes 9.', 'prompt is too long: It takes 9.'],
  ['context_length_exceeded', 'prompt is too long: 9 tokens > 5 maximum', 'prompt is too long: 9 tokens > 5 maximum'],
  ['model_not_found', "There is no model 'x'.", "model: There is no model 'x'."],
])('%s is recognised by agents', (code, message, expected) => {
  expect(errorOf(code, message).body).toMatchObject({ error: { message: expected } });
});

test('the client knows the error by its class', async () => {
  const { status, body } = errorOf('rate_limit_exceeded');
  const client = new Anthropic({
    apiKey: 'key',
    maxRetries: 0,
    fetch: () => Promise.resolve(Response.json(body, { status })),
  });
  const asked = client.messages.create({ model: 'm', max_tokens: 1, messages: [] });
  await expect(asked).rejects.toBeInstanceOf(Anthropic.RateLimitError);
});

test('the last event of a lost stream is the error event of this API', () => {
  const body = '{"type":"error","error":{"type":"api_error","message":"Gone."}}';
  const event = messagesDialect.errors.lastEvent(new GatewayError('unavailable', 'Gone.'));
  expect(event).toBe(`event: error\ndata: ${body}\n\n`);
});
