import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { alibaba } from './chat.ts';

const { sent, unsupported, folded, failure } = vendorOf(alibaba);

test('sets enable_thinking and its budget at the top level of the body', () => {
  expect(sent({ reasoning: { effort: 'high', max_tokens: 500 } })).toEqual({
    enable_thinking: true,
    thinking_budget: 500,
  });
  expect(sent({ reasoning_effort: 'none' })).toEqual({ enable_thinking: false });
  expect(sent({ enable_thinking: true, thinking_budget: 9 })).toEqual({ enable_thinking: true, thinking_budget: 9 });
});

test('lets open models think only when streaming', () => {
  const modelName = 'qwen3-32b';
  expect(sent({ reasoning_effort: 'high' }, { modelName })).toEqual({ enable_thinking: false });
  expect(sent({}, { modelName, stream: true })).toEqual({ stream: true, stream_options: { include_usage: true } });
  expect(sent({}, { modelName: 'qwen3-max' })).toEqual({});
});

test.each(['qwq-plus', 'qwen3-omni-flash'])('refuses %s without streaming', (modelName) => {
  expect(unsupported({}, { modelName })).toBe('stream');
  expect(unsupported({}, { modelName, stream: true })).toBeUndefined();
});

test('refuses tool_choice required and sends a named tool', () => {
  const named = { type: 'function' as const, function: { name: 'f' } };
  expect(unsupported({ tool_choice: 'required' })).toBe('tool_choice');
  expect([unsupported({ tool_choice: named }), unsupported({ tool_choice: 'none' })]).toEqual([undefined, undefined]);
});

test('reads later deltas of a call that have an empty id', () => {
  const call = (id: string, name: string | undefined, input: string) =>
    delta({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: input } }] });
  const whole = folded(
    call('call_1', 'f', ''),
    call('', '', '{"x"'),
    call('', undefined, ':1}'),
    delta({}, 'tool_calls'),
  );
  expect(whole.choices[0]?.message.tool_calls).toEqual([
    { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
  ]);
});

test.each([
  [400, 'data_inspection_failed', 'content_policy_violation', 'policy'],
  [401, 'invalid_api_key', 'upstream_auth', 'provider'],
  [400, 'Arrearage', 'upstream_auth', 'provider'],
  [429, 'limit_requests', 'upstream_error', 'provider'],
  [429, 'Throttling.RateQuota', 'upstream_error', 'provider'],
  [429, 'insufficient_quota', 'upstream_auth', 'provider'],
])('%i %s', (status, vendorCode, code, domain) => {
  const body = { error: { code: vendorCode, message: 'No.', param: null, type: vendorCode }, request_id: 'r' };
  expect(failure(status, body)).toMatchObject({ code, domain });
});
