import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { fireworks } from './chat.ts';

const { sent, folded, failure } = vendorOf(fireworks);

test('sends max_tokens and passes on further members', () => {
  const extras = { top_k: 5, min_p: 0.1, context_length_exceeded_behavior: 'error' };
  expect(sent({ max_completion_tokens: 5, ...extras })).toEqual({ max_tokens: 5, ...extras });
});

test('reads usage from the last chunk', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const whole = folded(delta({ reasoning_content: 'hm' }), delta({ content: 'x' }, 'stop', { usage }));
  expect(whole).toMatchObject({ usage, choices: [{ message: { content: 'x', reasoning_content: 'hm' } }] });
});

test.each([
  ['a text', { error: 'No.' }],
  ['an object', { error: { object: 'error', type: 'invalid_request_error', code: 'bad', message: 'No.' } }],
  ['a fault of the edge', { fault: { faultstring: 'No.', detail: {} } }],
])('errors as %s', (_name, body) => {
  expect(failure(400, body)).toMatchObject({ code: 'invalid_parameters', message: 'No.', domain: 'caller' });
});
