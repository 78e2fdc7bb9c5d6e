import { ask, dataOf } from '@tallyport/sandbox/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'] });
});
afterAll(() => simulator.close());

const user = (content: unknown) => ({ role: 'user', content });
const trigger = { type: 'compaction_trigger' };
const weather = { type: 'function', name: 'weather', parameters: { type: 'object' } };
const post = (
  members: object,
  { path = '/v1', headers = { authorization: 'Bearer sim-key' } as Record<string, string> } = {},
) => ask({ url: `${simulator.url}${path}/responses`, headers, body: { model: 'gpt-5.1', input: 'Hello', ...members } });
const whole = async (members: object) => JSON.parse((await post(members)).text);
const sealing = {
  store: false,
  include: ['reasoning.encrypted_content'],
  reasoning: { effort: 'low', summary: 'auto' },
};

describe.each<[string, object, string[]]>([
  ['text', {}, ['message']],
  ['reasoning', { ...sealing, input: 'Hello [reasoning]' }, ['reasoning', 'message']],
  ['calls', { tools: [weather], input: 'In parallel' }, ['function_call', 'function_call']],
  ['a custom call', { tools: [{ type: 'custom', name: 'patch' }] }, ['custom_tool_call']],
  ['a call in a namespace', { tools: [{ type: 'namespace', name: 'ns', tools: [weather] }] }, ['function_call']],
  [
    'a search',
    { tools: [{ type: 'web_search' }], input: 'Please search the web [citations]' },
    ['web_search_call', 'message'],
  ],
  ['a refusal', { input: '[refusal]' }, ['message']],
  ['a compaction', { input: [user('Hello [reasoning]'), trigger], tools: [weather] }, ['compaction']],
])('%s', (_name, members, kinds) => {
  test('is the same in a stream, whose events are numbered and in their order', async () => {
    const response = await whole(members);
    const events = dataOf((await post({ ...members, stream: true })).text).map((line) => JSON.parse(line));
    expect(response.output.map(({ type }: { type: string }) => type)).toEqual(kinds);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, at) => at));
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
    const last = events.at(-1);
    const strip = (item: object) => ({ ...item, id: '', call_id: '', encrypted_content: '' });
    expect(last).toMatchObject({ type: 'response.completed', response: { usage: response.usage } });
    expect(last.response.output.map(strip)).toEqual(response.output.map(strip));
    const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(done).toEqual(last.response.output);
    const added = events.filter(({ type }) => type === 'response.output_item.added').map(({ item }) => item.id);
    expect(added).toEqual(done.map(({ id }) => id));
  });
});

test('a limit makes the response incomplete', async () => {
  const response = await whole({ max_output_tokens: 16 });
  expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
});

test('a call in a namespace has both names, a custom one its input', async () => {
  const { output } = await whole({ tools: [{ type: 'namespace', name: 'ns', tools: [weather] }] });
  expect(output).toMatchObject([{ name: 'weather', namespace: 'ns', arguments: '{}' }]);
  expect((await whole({ tools: [{ type: 'custom', name: 'patch' }] })).output).toMatchObject([
    { input: expect.any(String) },
  ]);
});

test.each<[string, object]>([
  ['reasoning', { ...sealing, input: 'Hi [reasoning]' }],
  ['compaction', { input: [user('Hi'), trigger] }],
])('sealed %s is accepted only from its vendor, with its id', async (type, members) => {
  const [item] = (await whole(members)).output;
  expect(item.type).toBe(type);
  const said = { role: 'assistant', content: 'Hi.' };
  const again = (changed: object, options = {}) =>
    post({ store: false, input: [{ ...item, ...changed }, said, user('Go on')] }, options);
  const azure = { path: '/azure/openai/v1', headers: { 'api-key': 'sim-key' } };
  expect((await again({})).status).toBe(200);
  expect((await again({ id: undefined })).status).toBe(200);
  for (const answer of [
    await again({ id: type === 'reasoning' ? 'rs_other' : 'cmp_other' }),
    await again({ encrypted_content: 'gAAAAx' }),
    await again({}, azure),
  ]) {
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([400, 'invalid_encrypted_content']);
  }
});

test('reasoning that is not in the request is not found', async () => {
  const lost = await post({ store: false, input: [{ type: 'reasoning', id: 'rs_1', summary: [] }, user('Go on')] });
  expect([lost.status, JSON.parse(lost.text).error.message]).toEqual([404, expect.stringContaining('not found')]);
});

test('reasoning without what it led to is refused', async () => {
  const [reasoning] = (await whole({ ...sealing, input: 'Hi [reasoning]' })).output;
  for (const next of [[], [user('Go on')], [{ type: 'function_call_output', call_id: 'c', output: 'x' }]]) {
    const { status, text } = await post({ store: false, input: [reasoning, ...next] });
    expect([status, JSON.parse(text).error.message]).toEqual([400, expect.stringContaining('required following item')]);
  }
});

test.each<[object, string | null, string | null]>([
  [{ model: undefined }, 'model', 'missing_required_parameter'],
  [{ messages: [] }, 'messages', 'unknown_parameter'],
  [{ input: undefined }, 'input', 'missing_required_parameter'],
  [{ input: 1 }, 'input', 'invalid_type'],
  [{ input: ['x'] }, 'input[0]', 'invalid_type'],
  [{ input: [{ type: 'x' }] }, 'input[0].type', 'invalid_value'],
  [{ input: [{ role: 'boss', content: '' }] }, 'input[0].role', 'invalid_value'],
  [{ input: [user(1)] }, 'input[0].content', 'invalid_type'],
  [{ input: [user([{ type: 'text', text: 'x' }])] }, 'input[0].content[0].type', 'invalid_value'],
  [{ input: [{ ...user('x'), id: 'chatcmpl-1' }] }, 'input[0].id', 'invalid_value'],
  [{ input: [{ ...user('x'), id: 'msg_a.b' }] }, 'input[0].id', 'invalid_value'],
  [{ input: [{ ...user('x'), id: `msg_${'x'.repeat(61)}` }] }, 'input[0].id', 'string_above_max_length'],
  [
    { input: [{ type: 'function_call', call_id: 'x'.repeat(65), name: 'f', arguments: '{}' }] },
    'input[0].call_id',
    'string_above_max_length',
  ],
  [
    { input: [{ type: 'function_call', name: 'f', arguments: '{}' }] },
    'input[0].call_id',
    'missing_required_parameter',
  ],
  [{ input: [{ type: 'function_call_output', call_id: 'c' }] }, 'input[0].output', 'missing_required_parameter'],
  [{ input: [{ ...trigger, id: 'x' }] }, 'input[0].id', 'unknown_parameter'],
  [{ input: [trigger, user('x')] }, 'input[0]', 'invalid_value'],
  [{ input: [{ type: 'compaction' }] }, 'input[0].encrypted_content', 'missing_required_parameter'],
  [{ max_output_tokens: 15 }, 'max_output_tokens', 'integer_below_min_value'],
  [{ truncation: 'middle' }, 'truncation', 'invalid_value'],
  [{ tools: [{ type: 'browser' }] }, 'tools[0].type', 'invalid_value'],
  [{ tools: [{ type: 'function' }] }, 'tools[0].name', 'missing_required_parameter'],
  [{ tools: [{ type: 'function', name: 'weather.get' }] }, 'tools[0].name', 'invalid_value'],
  [{ previous_response_id: 'resp_1' }, 'previous_response_id', 'previous_response_not_found'],
  [{ reasoning: { effort: 'max' } }, 'reasoning.effort', 'unsupported_value'],
  [{ model: 'gpt-4o', text: { verbosity: 'low' } }, 'text.verbosity', 'unsupported_value'],
  [{ temperature: 0.5 }, 'temperature', 'unsupported_value'],
])('%j is refused: %s', async (members, param, code) => {
  const { status, text } = await post(members);
  expect([status, JSON.parse(text).error]).toMatchObject([400, { param, code }]);
});

test('a wrong key is refused', async () => {
  const { status } = await post({}, { headers: { authorization: 'Bearer wrong' } });
  expect(status).toBe(401);
  expect((await post({}, { path: '/azure/openai/v1', headers: {} })).status).toBe(401);
});
