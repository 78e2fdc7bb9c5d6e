import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { moonshot } from './chat.ts';

const { sent, unsupported, usage, folded, choice, failure } = vendorOf(moonshot);

test.each([
  ['kimi-k2-thinking', { temperature: 0.5, top_p: 0.9, presence_penalty: 1 }],
  ['kimi-k2.5', {}],
  ['kimi-k2.6', {}],
  ['kimi-k3', {}],
])('sends sampling hints to %s only if its sampling is not fixed', (modelName, expected) => {
  expect(sent({ temperature: 0.5, top_p: 0.9, presence_penalty: 1 }, { modelName })).toEqual(expected);
});

test.each([
  ['kimi-k2-thinking', 'high' as const, {}],
  ['kimi-k2.5', 'high' as const, { thinking: { type: 'enabled' } }],
  ['kimi-k2.5', 'none' as const, { thinking: { type: 'disabled' } }],
  ['kimi-k3', 'medium' as const, { reasoning_effort: 'low' }],
  ['kimi-k3', 'xhigh' as const, { reasoning_effort: 'high' }],
  ['kimi-k3', 'max' as const, { reasoning_effort: 'max' }],
])('effort of %s, asked for %s', (modelName, reasoning_effort, expected) => {
  expect(sent({ reasoning_effort }, { modelName })).toEqual(expected);
});

test.each([
  ['kimi-k2.5', { type: 'enabled' }],
  ['kimi-k2.6', { type: 'enabled', keep: 'all' }],
  ['kimi-k2.7-code', { type: 'enabled', keep: 'all' }],
  ['kimi-k3', { type: 'enabled', keep: 'all' }],
])('sends thinking.keep to %s only if it supports it', (modelName, thinking) => {
  const request = { thinking: { type: 'enabled', keep: 'all' } };
  expect(sent(request, { modelName })).toEqual({ thinking });
  expect(request.thinking.keep).toBe('all');
});

test('refuses a forced call while the model thinks', () => {
  expect(unsupported({ tool_choice: 'required' }, { reasoning: true })).toBe('tool_choice');
  expect(unsupported({ tool_choice: 'required', reasoning_effort: 'none' }, { reasoning: true })).toBeUndefined();
  expect(unsupported({ tool_choice: 'required' })).toBeUndefined();
});

test('sends back call ids unchanged, and thinking within the tool loop', () => {
  const id = 'functions.get_weather:0';
  const call = { id, type: 'function' as const, function: { name: 'get_weather', arguments: '{}' } };
  const message = choice({ content: '', reasoning_content: 'hm', tool_calls: [{ index: 0, ...call }] })?.message;
  expect(message).toMatchObject({ reasoning_content: 'hm', tool_calls: [call] });
  const messages = [
    { role: 'user' as const, content: 'Hi' },
    { role: 'assistant' as const, content: '', reasoning_content: 'hm', tool_calls: [call], partial: true },
    { role: 'tool' as const, content: '1', tool_call_id: id },
  ];
  expect(sent({ messages }).messages).toEqual(messages);
});

test('reads cached tokens from the top level of usage, and usage from the choice', () => {
  const counts = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
  const read = { ...counts, prompt_tokens_details: { cached_tokens: 4 } };
  expect(usage({ ...counts, cached_tokens: 4 })).toEqual(read);
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: { ...counts, cached_tokens: 4 } }] };
  expect(folded(delta({ content: 'x' }), end).usage).toEqual(read);
});

test.each([
  [400, 'content_filter', 'content_policy_violation', 'policy'],
  [401, 'invalid_authentication_error', 'upstream_auth', 'provider'],
  [429, 'exceeded_current_quota_error', 'upstream_auth', 'provider'],
  [429, 'engine_overloaded_error', 'upstream_error', 'provider'],
  [429, 'rate_limit_reached_error', 'upstream_error', 'provider'],
])('%i %s', (status, type, code, domain) => {
  expect(failure(status, { error: { type, message: 'No.' } })).toMatchObject({ code, domain });
});
