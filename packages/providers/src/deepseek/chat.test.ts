import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { deepseek } from './chat.ts';

const { sent, unsupported, usage, folded, choice, failure } = vendorOf(deepseek);
const reasoning = { reasoning: true };

test('reads thinking if content is null', () => {
  const whole = folded(
    delta({ role: 'assistant', content: null, reasoning_content: '' }),
    delta({ content: null, reasoning_content: 'hm' }),
    delta({ content: 'x', reasoning_content: null }),
    delta({ content: '', reasoning_content: null }, 'stop'),
  );
  expect(whole.choices[0]?.message).toEqual({
    role: 'assistant',
    content: 'x',
    refusal: null,
    reasoning_content: 'hm',
  });
});

test.each([
  ['none' as const, { thinking: { type: 'disabled' } }],
  ['low' as const, { reasoning_effort: 'high' }],
  ['medium' as const, { reasoning_effort: 'high' }],
  ['high' as const, { reasoning_effort: 'high' }],
  ['xhigh' as const, { reasoning_effort: 'max' }],
  ['max' as const, { reasoning_effort: 'max' }],
])('effort %s', (reasoning_effort, expected) => {
  expect(sent({ reasoning_effort }, reasoning)).toEqual(expected);
});

test('keeps the client’s own thinking member', () => {
  expect(sent({ reasoning_effort: 'none', thinking: { type: 'adaptive' } }, reasoning)).toEqual({
    thinking: { type: 'adaptive' },
  });
});

test('refuses logprobs while thinking', () => {
  const asked = { logprobs: true, top_logprobs: 2 };
  expect(unsupported(asked, reasoning)).toBe('logprobs');
  expect(unsupported({ ...asked, reasoning_effort: 'none' }, reasoning)).toBeUndefined();
  expect(unsupported({ ...asked, thinking: { type: 'disabled' } }, reasoning)).toBeUndefined();
});

test('refuses json_schema and accepts json_object', () => {
  expect(unsupported({ response_format: { type: 'json_object' } })).toBeUndefined();
  expect(unsupported({ response_format: { type: 'json_schema', json_schema: { name: 'x' } } })).toBe('response_format');
});

test('sends thinking back in questions with calls, not in others', () => {
  const call = { id: 'a', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
  const assistant = { role: 'assistant' as const, content: 'x', reasoning_content: 'hm' };
  const made = sent({
    messages: [
      { role: 'user', content: '1' },
      assistant,
      { role: 'user', content: '2' },
      { ...assistant, tool_calls: [call] },
      { role: 'tool', content: '3', tool_call_id: 'a' },
    ],
  });
  expect(made.messages).toEqual([
    { role: 'user', content: '1' },
    { role: 'assistant', content: 'x' },
    { role: 'user', content: '2' },
    { ...assistant, tool_calls: [call] },
    { role: 'tool', content: '3', tool_call_id: 'a' },
  ]);
});

test('reports cached tokens', () => {
  const counts = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  expect(usage({ ...counts, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 2 })).toEqual({
    ...counts,
    prompt_tokens_details: { cached_tokens: 8 },
  });
});

test('treats insufficient_system_resource as a provider fault, with and without streaming', () => {
  const fault = expect.objectContaining({ code: 'upstream_error', domain: 'provider' });
  expect(() => choice({ content: 'x' }, { finish_reason: 'insufficient_system_resource' })).toThrow(fault);
  expect(() => folded(delta({ content: 'x' }), delta({}, 'insufficient_system_resource'))).toThrow(fault);
});

test('ignores keep-alive comments and blank lines', () => {
  expect(folded(': keep-alive\n\n', '\n\n', delta({ content: 'x' }, 'stop')).choices[0]?.message.content).toBe('x');
});

test('treats an insufficient balance as an authentication error', () => {
  expect(failure(402, { error: { message: 'Insufficient Balance', type: 'unknown_error' } })).toMatchObject({
    code: 'upstream_auth',
    domain: 'provider',
  });
});
