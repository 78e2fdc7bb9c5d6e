import { describe, expect, test } from 'vitest';
import { growthOf, highestGrowth } from '../../../../tests/support/growth.ts';
import { bodyOf, readBody, requestOf } from './testing/request.ts';

const nativeOf = (members: object, earlier: readonly unknown[] = []) => readBody(bodyOf(members), { earlier }).native;
const asked = (text: string) => ({ type: 'user_input', content: [{ type: 'text', text }] });

test('a request passes on as its bytes', () => {
  const json = '{ "model":"gemini-3-pro","input":"Hi", "generation_config":{"max_output_tokens":7},"future":1e0}';
  expect(readBody(json).native).toEqual({
    dialect: 'gemini-interactions',
    body: Buffer.from(json),
    members: requestOf(json).body,
    headers: {},
    model: 'gemini-3-pro',
    limit: 7,
    isUntranslatable: true,
  });
  expect(readBody(json).untranslatable).toMatchObject({ param: 'future' });
});

test.each([
  ['a text', '"Hi"', asked('Hi')],
  ['a content', '{"type":"text","text":"Hi"}', asked('Hi')],
  ['a list of contents', '[ {"type":"text","text":"Hi"}]', asked('Hi')],
  ['a list of steps', `[${JSON.stringify(asked('Hi'))}]`, asked('Hi')],
])('the conversation that it continues is in front of %s', (_name, input, own) => {
  const earlier = [asked('One?'), { type: 'function_call', id: 'a', name: 'f', arguments: {} }];
  const json = `{"previous_interaction_id":"int_1","model":"gemini-3-pro","input":${input}}`;
  const native = readBody(json, { earlier }).native;
  const expected = { model: 'gemini-3-pro', input: [...earlier, own] };
  expect([JSON.parse(String(native?.body)), native?.members]).toEqual([expected, expected]);
});

describe('what belongs to the account at the vendor never passes', () => {
  test.each([
    { agent: 'deep-research' },
    { background: true },
    { cached_content: 'cachedContents/1' },
    { environment: { type: 'remote' } },
    { webhook_config: {} },
    { service_tier: 'deferred' },
    { tools: [{ type: 'file_search', file_search_store_names: ['a'] }] },
    { tools: [{ type: 'retrieval' }] },
    { cachedContent: 'cachedContents/1' },
    { generation_config: { maxOutputTokens: 7 } },
    { input: [{ type: 'image', uri: 'https://generativelanguage.googleapis.com/v1beta/files/1' }] },
    { input: { type: 'document', uri: 'gs://bucket/a.pdf' } },
    { input: [{ type: 'function_result', call_id: 'a', result: [{ type: 'image', uri: 'files/1' }] }] },
  ])('%j', (members) => {
    expect(() => readBody(bodyOf(members))).toThrowError(
      expect.objectContaining({ code: expect.stringMatching(/^(unsupported_parameter|invalid_parameters)$/) }),
    );
  });

  test('a member that is there twice', () => {
    expect(readBody('{"model":"m","input":"Hi","store":false,"store":true}').native).toBeUndefined();
  });
});

test('an id that is no text is refused and not left out', () => {
  expect(() => readBody(bodyOf({ previous_interaction_id: 5 }))).toThrowError(
    expect.objectContaining({ code: 'invalid_parameters', param: 'previous_interaction_id' }),
  );
});

test.each([
  { tools: [{ type: 'google_search' }] },
  { continuation_token: 'x' },
  { tools: [{ type: 'mcp_server', name: 'a', url: 'https://mcp.example' }] },
  { input: [{ type: 'image', uri: 'https://example.com/a.png' }] },
  { input: [{ type: 'function_result', call_id: 'a', result: { uri: 'gs://of-a-function' } }] },
])('what the vendor runs or fetches passes: %j', (members) => {
  expect(nativeOf(members)).toMatchObject({ dialect: 'gemini-interactions' });
});

const passed = (previous?: string) =>
  readBody(bodyOf(previous === undefined ? {} : { previous_interaction_id: previous }), {
    earlier: [],
    keptBytes: 1_000,
  }).passed;
const id = 'int_0123456789abcdef0123456789abcdef';

test('an answer has the ids of this gateway, and keeps every other byte', () => {
  const whole = passed('int_1').whole(Buffer.from('{"status": "completed","id":"v1_x","steps":[{"n":1.0}]}'));
  expect(String(whole)).toContain('"status": "completed"');
  expect(String(whole)).toContain('[{"n":1.0}]');
  expect(JSON.parse(String(whole))).toMatchObject({ id, previous_interaction_id: 'int_1' });
});

/** What a client gets of events, and what is stored of them. */
function followed(events: readonly object[], { keptBytes = 10_000 } = {}) {
  const stream = readBody(bodyOf(), { earlier: [], keptBytes }).passed.stream();
  const sent = events.flatMap((event) => stream.event({ event: undefined, json: JSON.stringify(event) }));
  const whole = stream.whole();
  return { sent: [...sent, ...stream.end()].map(({ json }) => JSON.parse(json)), whole };
}

const start = (index: number, step: object) => ({ event_type: 'step.start', index, step });
const delta = (index: number, added: object) => ({ event_type: 'step.delta', index, delta: added });
const completed = { event_type: 'interaction.completed', interaction: { id: 'v1_x', status: 'completed' } };

test('events have the id of this gateway, and their steps are put together to be stored', () => {
  const created = { event_type: 'interaction.created', interaction: { status: 'in_progress' } };
  const update = { event_type: 'interaction.status_update', interaction_id: 'v1_x', status: 'in_progress' };
  const steps = [
    start(0, { type: 'thought' }),
    delta(0, { type: 'thought_summary', content: { type: 'text', text: 'H' } }),
    delta(0, { type: 'thought_summary', content: { type: 'text', text: 'm.' } }),
    delta(0, { type: 'thought_signature', signature: 'c2ln' }),
    start(1, { type: 'google_search_call', id: 's' }),
    delta(1, { type: 'google_search_call', arguments: { queries: ['q'] } }),
    start(2, { type: 'model_output' }),
    delta(2, { type: 'text', text: 'A' }),
    delta(2, { type: 'text', text: ' B' }),
    delta(2, { type: 'text_annotation_delta', annotations: [{ type: 'url_citation' }] }),
    delta(2, { type: 'image', data: 'AAAA', mime_type: 'image/png' }),
    start(3, { type: 'function_call', id: 'a', name: 'f', arguments: {} }),
    delta(3, { type: 'arguments_delta', arguments: '{"id":12345678901' }),
    delta(3, { type: 'arguments_delta', arguments: '23456789}' }),
  ];
  const { sent, whole } = followed([created, update, ...steps, completed]);
  expect(sent).toEqual([
    { ...created, interaction: { status: 'in_progress', id } },
    { ...update, interaction_id: id },
    ...steps,
    { ...completed, interaction: { id, status: 'completed' } },
  ]);
  expect(JSON.stringify(whole)).toBe(
    JSON.stringify({
      id,
      status: 'completed',
      steps: [
        { type: 'thought', summary: [{ type: 'text', text: 'Hm.' }], signature: 'c2ln' },
        { type: 'google_search_call', id: 's', arguments: { queries: ['q'] } },
        {
          type: 'model_output',
          content: [
            { type: 'text', text: 'A B', annotations: [{ type: 'url_citation' }] },
            { type: 'image', data: 'AAAA', mime_type: 'image/png' },
          ],
        },
        { type: 'function_call', id: 'a', name: 'f', arguments: { id: JSON.rawJSON('1234567890123456789') } },
      ],
    }),
  );
});

test('of a stream larger than what may be stored, nothing is kept', () => {
  const begun = { type: 'model_output' };
  const said = { type: 'text', text: 'x'.repeat(100) };
  const events = [start(0, begun), delta(0, said), completed];
  const keptBytes = JSON.stringify(begun).length + JSON.stringify(said).length + 400;
  expect(followed(events, { keptBytes }).whole).toMatchObject({ steps: [{ type: 'model_output', content: [said] }] });
  const beyond = followed(events, { keptBytes: keptBytes - 1 });
  expect([beyond.whole, beyond.sent.length]).toEqual([undefined, 3]);
});

test('many small events of a step take time in proportion to their number', () => {
  const eventsOf = (count: number) => {
    const pieces = Array.from({ length: count }, (_piece, at) =>
      delta(0, at % 2 === 0 ? { type: 'text', text: 'x' } : { type: 'image', data: 'AAAA' }),
    );
    return [start(0, { type: 'model_output' }), ...pieces, completed];
  };
  expect(growthOf((events: object[]) => followed(events, { keptBytes: 1e9 }), eventsOf, 16_000)).toBeLessThan(
    highestGrowth,
  );
});

test('deltas of steps that never began, and events of an unknown kind, are only passed on', () => {
  const odd = [
    delta(7, { type: 'text', text: 'x' }),
    { event_type: 'step.start', index: 'no', step: 1 },
    { future: true },
  ];
  const { sent, whole } = followed([...odd, completed]);
  expect(sent.slice(0, -1)).toEqual(odd);
  expect(whole).toMatchObject({ steps: [] });
});
