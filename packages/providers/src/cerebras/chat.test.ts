import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { cerebras } from './chat.ts';

const { sent, unsupported, folded, choice, failure } = vendorOf(cerebras);

test('does not send hints the vendor refuses', () => {
  const cache = { prompt_cache_key: 'k', prompt_cache_retention: '24h' as const, safety_identifier: 'u' };
  const options = { prompt_cache_options: { mode: 'explicit' as const }, modalities: ['text'] };
  const penalties = { frequency_penalty: 1, presence_penalty: 1, logit_bias: {} };
  expect(sent({ ...penalties, ...cache, ...options, service_tier: 'auto', max_tokens: 5 })).toEqual({
    max_completion_tokens: 5,
  });
});

test.each([
  ['modalities', { modalities: ['text', 'audio'] }],
  ['moderation', { moderation: { model: 'omni-moderation-latest' } }],
])('refuses %s', (member, request) => {
  expect(unsupported(request)).toBe(member);
});

test('does not send unknown members, which the vendor refuses', () => {
  const foreign = { top_k: 1, min_p: 0.1, thinking: { type: 'enabled' }, store: true, verbosity: 'low' };
  expect(sent({ ...foreign, reasoning_format: 'parsed' })).toEqual({ reasoning_format: 'parsed' });
});

test('closes strict schemas and describes refused keywords; other schemas are unchanged', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^x$' } }, required: ['a'] };
  const a = { type: 'string', description: 'Constraints (JSON Schema): {"pattern":"^x$"}' };
  const strict = { ...schema, properties: { a }, additionalProperties: false };
  const asked = (parameters: object, isStrict: boolean) => ({
    tools: [{ type: 'function' as const, function: { name: 'f', strict: isStrict, parameters: { ...parameters } } }],
    response_format: {
      type: 'json_schema' as const,
      json_schema: { name: 'j', strict: isStrict, schema: { ...parameters } },
    },
  });
  expect(sent(asked(schema, true))).toEqual(asked(strict, true));
  expect(sent(asked(schema, false))).toEqual(asked(schema, false));
});

test('sends parallel_tool_calls only to models that support it', () => {
  const tools = [{ type: 'function' as const, function: { name: 'f' } }];
  const request = { tools, parallel_tool_calls: false };
  expect([sent(request), sent(request, { parallelToolCalls: false })]).toEqual([request, { tools }]);
});

test.each([
  ['gpt-oss-120b', { reasoning_effort: 'high' }],
  ['zai-glm-4.7', {}],
])('effort of %s', (modelName, expected) => {
  expect(sent({ reasoning_effort: 'max' }, { modelName })).toEqual(expected);
});

test('reads thinking from reasoning', () => {
  expect(choice({ content: 'x', reasoning: 'hm' })?.message).toMatchObject({ content: 'x', reasoning_content: 'hm' });
});

test('keeps times and truncates the fractional one', () => {
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
    message: 'cerebras failed with status 429: Too many requests in queue',
    retryAfterMs: 60_000,
  });
});
