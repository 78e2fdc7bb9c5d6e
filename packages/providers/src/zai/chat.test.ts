import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { zai } from './chat.ts';

const { sent, unsupported, folded, choice, chunks, failure } = vendorOf(zai);
const tool = { type: 'function' as const, function: { name: 'f' } };

test('thinking is a switch; what the client says of it itself wins', () => {
  expect(sent({ reasoning_effort: 'low' })).toEqual({ thinking: { type: 'enabled' } });
  expect(sent({ reasoning_effort: 'none' })).toEqual({ thinking: { type: 'disabled' } });
  const thinking = { type: 'enabled', clear_thinking: false };
  expect(sent({ thinking })).toEqual({ thinking });
});

test.each([
  [
    { temperature: 1, top_p: 0.01 },
    { temperature: 1, top_p: 0.01 },
  ],
  [
    { temperature: 1.01, top_p: 0 },
    { temperature: 1, top_p: 0.01 },
  ],
  [
    { temperature: 2, top_p: 1 },
    { temperature: 1, top_p: 1 },
  ],
])('%j is within its ranges', (request, expected) => {
  expect(sent(request)).toEqual(expected);
});

test('one text to stop at, not two', () => {
  expect([unsupported({ stop: ['a'] }), unsupported({ stop: 'a' }), unsupported({ stop: ['a', 'b'] })]).toEqual([
    undefined,
    undefined,
    'stop',
  ]);
});

test('tools are its own choice; without them there are none', () => {
  expect(unsupported({ tools: [tool], tool_choice: 'required' })).toBe('tool_choice');
  expect(unsupported({ tools: [tool], tool_choice: tool })).toBe('tool_choice');
  expect(sent({ tools: [tool], tool_choice: 'none', parallel_tool_calls: false })).toEqual({});
});

test('arguments are streamed when asked for', () => {
  expect(sent({ tools: [tool] }, { stream: true })).toMatchObject({ tool_stream: true });
  expect(sent({ tools: [tool] })).toEqual({ tools: [tool] });
});

test('the role in every delta, no word of the end until it comes', () => {
  const said = (more: object) => ({ choices: [{ index: 0, delta: { role: 'assistant', ...more } }] });
  const told = chunks(said({ reasoning_content: 'hm' }), said({ content: 'x' }), delta({ role: 'assistant' }, 'stop'));
  expect(told.map((chunk) => [chunk.choices[0]?.delta, chunk.choices[0]?.finish_reason])).toEqual([
    [{ role: 'assistant', content: '' }, null],
    [{ reasoning_content: 'hm' }, null],
    [{ content: 'x' }, null],
    [{}, 'stop'],
  ]);
});

test.each([
  ['sensitive', 'content_filter'],
  ['model_context_window_exceeded', 'length'],
])('%s is %s', (theirs, ours) => {
  expect(choice({ content: 'x' }, { finish_reason: theirs })?.finish_reason).toBe(ours);
});

test('network_error is its fault', () => {
  expect(() => folded(delta({ content: 'x' }), delta({}, 'network_error'))).toThrow(
    expect.objectContaining({ code: 'upstream_error', domain: 'provider' }),
  );
});

test('results of a search survive', () => {
  const web_search = [{ title: 'A', link: 'https://a.example' }];
  expect(folded(delta({ content: 'x' }, 'stop', { web_search }))).toMatchObject({ web_search });
});

test.each([
  [401, '1000', 'upstream_auth', 'provider'],
  [401, '1004', 'upstream_auth', 'provider'],
  [429, '1113', 'upstream_auth', 'provider'],
  [400, '1210', 'invalid_parameters', 'caller'],
  [400, '1214', 'invalid_parameters', 'caller'],
  [400, '1211', 'upstream_error', 'provider'],
  [400, '1261', 'context_length_exceeded', 'caller'],
  [400, '1301', 'content_policy_violation', 'policy'],
  [429, '1302', 'upstream_error', 'provider'],
  [429, '1303', 'upstream_error', 'provider'],
  [429, '1305', 'upstream_error', 'provider'],
  [500, '500', 'upstream_error', 'provider'],
])('%i %s', (status, vendorCode, code, domain) => {
  const body = { error: { code: vendorCode, message: 'No.' } };
  expect(failure(status, body)).toMatchObject({ code, domain });
  expect(() => folded(delta({ content: 'x' }), body)).toThrow(expect.objectContaining({ code, domain }));
});
