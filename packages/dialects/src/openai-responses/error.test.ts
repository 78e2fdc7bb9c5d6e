import { GatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { openAiResponses } from './index.ts';

test('an error has the body of this API', () => {
  const error = new GatewayError('invalid_parameters', 'input: wrong', { param: 'input' });
  expect(openAiResponses.errors.error(error, 'req_1')).toEqual({
    status: 400,
    body: {
      error: { message: 'input: wrong', type: 'invalid_request_error', param: 'input', code: 'invalid_parameters' },
    },
  });
});

test('a busy service answers with a status that clients of this API know', () => {
  expect(openAiResponses.errors.error(new GatewayError('overloaded', 'Busy.'), 'req_1')).toMatchObject({
    status: 503,
    body: { error: { code: 'overloaded', param: null } },
  });
});

test('the last event of a lost stream is the error event of this API', () => {
  const body = '{"type":"error","param":null,"code":"server_error","message":"Gone."}';
  const event = openAiResponses.errors.lastEvent(new GatewayError('unavailable', 'Gone.'));
  expect(event).toBe(`event: error\ndata: ${body}\n\n`);
});
