import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { groq } from './chat.ts';

const { sent, unsupported, folded, chunks, choice, failure } = vendorOf(groq);

test('one choice at a time', () => {
  expect(groq.maxChoices).toBe(1);
});

test('what it refuses is left out where it is a hint, and refused where it is not', () => {
  expect(sent({ logit_bias: { 1: 2 }, logprobs: false, reasoning_format: 'parsed' })).toEqual({
    reasoning_format: 'parsed',
  });
  expect(unsupported({ logprobs: true })).toBe('logprobs');
  expect(unsupported({ top_logprobs: 2 })).toBe('top_logprobs');
  expect(() => sent({ logprobs: true })).toThrow(
    expect.objectContaining({ code: 'unsupported_capability', status: 400, param: 'logprobs', domain: 'caller' }),
  );
});

test('nobody has a name', () => {
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

test('thinking is called reasoning, in a channel of its own', () => {
  expect(choice({ content: 'x', reasoning: 'hm' })?.message).toMatchObject({ content: 'x', reasoning_content: 'hm' });
  const whole = folded(delta({ reasoning: 'hm', channel: 'analysis' }), delta({ content: 'x' }, 'stop'));
  expect(whole.choices[0]?.message).toMatchObject({ content: 'x', reasoning_content: 'hm', channel: 'analysis' });
});

test('usage inside x_groq', () => {
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

test('a call the model got wrong is its fault', () => {
  expect(failure(400, { error: failedCall })).toMatchObject({ code: 'upstream_error', domain: 'provider' });
});

test('the same as an event after a good status', () => {
  const event = `event: error\ndata: ${JSON.stringify({ error: failedCall })}\n\n`;
  expect(() => folded(delta({ content: 'x' }), event)).toThrow(
    expect.objectContaining({ code: 'upstream_error', domain: 'provider' }),
  );
});

test.each([413, 429])('a limit told with %i is a limit', (status) => {
  const error = { message: 'Request too large: tokens per minute', type: 'tokens', code: 'rate_limit_exceeded' };
  expect(failure(status, { error }, { 'retry-after': '7' })).toMatchObject({
    code: 'upstream_error',
    domain: 'provider',
    retryAfterMs: 7_000,
  });
});

test('no room for flexible work is its fault', () => {
  expect(failure(498, { error: { message: 'capacity exceeded' } })).toMatchObject({
    code: 'upstream_error',
    domain: 'provider',
  });
});
