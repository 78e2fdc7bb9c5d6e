import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { zai } from './chat.ts';

const { sent, unsupported, folded, choice, chunks, failure } = vendorOf(zai);
const tool = { type: 'function' as const, function: { name: 'f' } };

test('sets the thinking switch unless the client sets it', () => {
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
])('clamps %j to the vendor’s ranges', (request, expected) => {
  expect(sent(request)).toEqual(expected);
});

test('refuses more than one stop text', () => {
  expect([unsupported({ stop: ['a'] }), unsupported({ stop: 'a' }), unsupported({ stop: ['a', 'b'] })]).toEqual([
    undefined,
    undefined,
    'stop',
  ]);
});

test('supports only tool choice auto and leaves out tools for none', () => {
  expect(unsupported({ tools: [tool], tool_choice: 'required' })).toBe('tool_choice');
  expect(unsupported({ tools: [tool], tool_choice: tool })).toBe('tool_choice');
  expect(sent({ tools: [tool], tool_choice: 'none', parallel_tool_calls: false })).toEqual({});
});

test('requests streamed arguments', () => {
  expect(sent({ tools: [tool] }, { stream: true })).toMatchObject({ tool_stream: true });
  expect(sent({ tools: [tool] })).toEqual({ tools: [tool] });
});

test('reads deltas that all have a role and no finish_reason', () => {
  const said = (more: object) => ({ choices: [{ index: 0, delta: { role: 'assistant', ...more } }] });
  const translated = chunks(
    said({ reasoning_content: 'hm' }),
    said({ content: 'x' }),
    delta({ role: 'assistant' }, 'stop'),
  );
  expect(translated.map((chunk) => [chunk.choices[0]?.delta, chunk.choices[0]?.finish_reason])).toEqual([
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

test('treats network_error as a provider fault', () => {
  expect(() => folded(delta({ content: 'x' }), delta({}, 'network_error'))).toThrow(
    expect.objectContaining({ code: 'upstream_error', domain: 'provider' }),
  );
});

test('keeps search results', () => {
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
