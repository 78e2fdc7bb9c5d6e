import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { groq } from './chat.ts';

const { sent, unsupported, folded, chunks, choice, failure } = vendorOf(groq);

test('supports one choice at a time', () => {
  expect(groq.maxChoices).toBe(1);
});

test('leaves out unsupported hints and refuses other unsupported members', () => {
  const hints = {
    logit_bias: { 1: 2 },
    logprobs: false,
    modalities: ['text'],
    prompt_cache_key: 'k',
    prompt_cache_options: { mode: 'explicit' as const },
    prompt_cache_retention: '24h' as const,
  };
  expect(sent({ ...hints, safety_identifier: 'u', reasoning_format: 'parsed' })).toEqual({
    reasoning_format: 'parsed',
  });
  expect(unsupported({ logprobs: true })).toBe('logprobs');
  expect(unsupported({ top_logprobs: 2 })).toBe('top_logprobs');
  expect(() => sent({ logprobs: true })).toThrow(
    expect.objectContaining({ code: 'unsupported_capability', status: 400, param: 'logprobs', domain: 'caller' }),
  );
});

test.each([
  ['auto', 'auto'],
  ['default', 'on_demand'],
  ['fast', 'auto'],
  ['flex', 'flex'],
  ['priority', 'performance'],
  ['scale', 'auto'],
])('service_tier %s is sent as %s', (service_tier, expected) => {
  expect(sent({ service_tier })).toEqual({ service_tier: expected });
});

test.each([
  ['modalities', { modalities: ['text', 'audio'], audio: { voice: 'ash', format: 'wav' } }],
  ['moderation', { moderation: { model: 'omni-moderation-latest' } }],
])('refuses %s', (member, request) => {
  expect(unsupported(request)).toBe(member);
});

test('does not send unknown members, which the vendor refuses', () => {
  const foreign = { top_k: 1, min_p: 0.1, thinking: { type: 'enabled' }, store: true, chat_template_kwargs: {} };
  expect(sent({ ...foreign, include_reasoning: false })).toEqual({ include_reasoning: false });
});

test('refuses more than four stop texts', () => {
  const stop = ['1', '2', '3', '4'];
  expect([unsupported({ stop }), unsupported({ stop: [...stop, '5'] })]).toEqual([undefined, 'stop']);
});

test('does not send names of messages', () => {
  expect(sent({ messages: [{ role: 'user', content: 'Hi', name: 'Ann' }] }).messages).toEqual([
    { role: 'user', content: 'Hi' },
  ]);
});

test.each([
  ['qwen/qwen3-32b', 'high' as const, { reasoning_effort: 'default' }],
  ['qwen/qwen3-32b', 'none' as const, { reasoning_effort: 'none' }],
  ['openai/gpt-oss-120b', 'max' as const, { reasoning_effort: 'high' }],
  ['openai/gpt-oss-120b', 'none' as const, {}],
  ['llama-3.3-70b-versatile', 'high' as const, {}],
])('effort of %s, asked for %s', (modelName, reasoning_effort, expected) => {
  expect(sent({ reasoning_effort }, { modelName })).toEqual(expected);
});

test('reads thinking from reasoning', () => {
  expect(choice({ content: 'x', reasoning: 'hm' })?.message).toMatchObject({ content: 'x', reasoning_content: 'hm' });
  const whole = folded(delta({ reasoning: 'hm', channel: 'analysis' }), delta({ content: 'x' }, 'stop'));
  expect(whole.choices[0]?.message).toMatchObject({ content: 'x', reasoning_content: 'hm', channel: 'analysis' });
});

test('reads usage from x_groq', () => {
  const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
  const x_groq = { id: 'req_1', usage: { queue_time: 0.03, ...usage, prompt_time: 0.01 } };
  expect(chunks(delta({ content: 'x' }), delta({}, 'stop', { x_groq })).at(-1)?.usage).toEqual(usage);
});

const failedCall = {
  message: 'Failed to call a function.',
  type: 'invalid_request_error',
  code: 'tool_use_failed',
  failed_generation: '<function=f>{',
};

test('treats tool_use_failed as a provider fault', () => {
  expect(failure(400, { error: failedCall })).toMatchObject({
    code: 'upstream_error',
    domain: 'provider',
    message: 'groq failed with status 400: Failed to call a function.',
  });
  expect(groq.error(400, {}, { error: failedCall }).provider).toEqual({
    id: 'groq',
    status: 400,
    code: 'tool_use_failed',
    details: { failed_generation: '<function=f>{' },
  });
});

test('reads the same error from an event after status 200', () => {
  const event = `event: error\ndata: ${JSON.stringify({ error: failedCall })}\n\n`;
  expect(() => folded(delta({ content: 'x' }), event)).toThrow(
    expect.objectContaining({ code: 'upstream_error', domain: 'provider' }),
  );
});

test.each([413, 429])('treats rate_limit_exceeded with status %i as a limit', (status) => {
  const error = { message: 'Request too large: tokens per minute', type: 'tokens', code: 'rate_limit_exceeded' };
  expect(failure(status, { error }, { 'retry-after': '7' })).toMatchObject({
    code: 'upstream_error',
    domain: 'provider',
    retryAfterMs: 7_000,
  });
});

test('treats missing flex capacity as a provider fault', () => {
  expect(failure(498, { error: { message: 'capacity exceeded' } })).toMatchObject({
    code: 'upstream_error',
    domain: 'provider',
  });
});
