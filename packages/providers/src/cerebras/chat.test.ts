import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { cerebras } from './chat.ts';

const { sent, folded, choice, failure } = vendorOf(cerebras);

test('hints it refuses are not sent', () => {
  expect(
    sent({ frequency_penalty: 1, presence_penalty: 1, logit_bias: {}, service_tier: 'auto', max_tokens: 5 }),
  ).toEqual({ max_completion_tokens: 5 });
});

test('calls side by side are spoken of only where the model can make them', () => {
  const request = { parallel_tool_calls: false };
  expect([sent(request), sent(request, { parallelToolCalls: false })]).toEqual([request, {}]);
});

test.each([
  ['gpt-oss-120b', { reasoning_effort: 'high' }],
  ['zai-glm-4.7', {}],
])('effort of %s', (modelName, expected) => {
  expect(sent({ reasoning_effort: 'max' }, { modelName })).toEqual(expected);
});

test('thinking is called reasoning', () => {
  expect(choice({ content: 'x', reasoning: 'hm' })?.message).toMatchObject({ content: 'x', reasoning_content: 'hm' });
});

test('times survive, the fractional one as a whole', () => {
  const time_info = { queue_time: 0.1, created: 1_718_000_000.25 };
  const whole = folded({ created: 1_718_000_000.25, ...delta({ content: 'x' }) }, delta({}, 'stop', { time_info }));
  expect(whole).toMatchObject({ created: 1_718_000_000, time_info });
});

const queue = {
  message: 'Too many requests in queue',
  type: 'too_many_requests_error',
  param: 'queue',
  code: 'queue_exceeded',
};

test.each([
  ['at top level', queue],
  ['under error', { error: queue }],
])('errors %s', (_name, body) => {
  expect(failure(429, body, { 'retry-after': '60' })).toEqual({
    code: 'upstream_error',
    status: 502,
    domain: 'provider',
    message: 'cerebras failed with status 503: Too many requests in queue',
    retryAfterMs: 60_000,
  });
});
