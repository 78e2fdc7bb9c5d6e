import { GatewayError } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { openAiResponses, type ResponsesState } from './index.ts';

function read(json: string, state: Partial<ResponsesState> = {}) {
  const request = {
    body: JSON.parse(json),
    bytes: Buffer.from(json),
    path: '',
    query: new URLSearchParams(),
    headers: {},
    now: () => 1_700_000_000,
    newId: () => '0'.repeat(32),
  };
  return openAiResponses.read(request, { earlier: [], referenced: new Map(), stores: true, ...state });
}
const user = { role: 'user', content: 'Hi' };
const sentBody = (...args: Parameters<typeof read>) => read(...args).native?.body.toString();

test('a request is passed on as it arrived', () => {
  const json = '{ "model":"m", "input":"Hi", "max_output_tokens":50, "future":1.0 }';
  expect(read(json).native).toEqual({
    dialect: 'openai-responses',
    body: Buffer.from(json),
    members: JSON.parse(json),
    headers: {},
    model: 'm',
    limit: 50,
    isUntranslatable: false,
  });
});

test('what a chat cannot express is outlined: its texts, its limit and its form', () => {
  const input = [{ type: 'future', text: 'Hi' }];
  const {
    chat,
    native,
    untranslatable,
    input: own,
  } = read(JSON.stringify({ model: 'm', stream: true, instructions: 'Be brief.', input, max_output_tokens: 50 }));
  expect(chat).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Be brief.\nfuture\nHi' }],
    max_completion_tokens: 50,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(native?.isUntranslatable).toBe(true);
  expect(untranslatable).toMatchObject({ code: 'unsupported_parameter', param: 'input[0].type' });
  expect(own('resp_vendor')).toEqual([{ ...input[0], id: 'item_vendor_1', status: 'completed' }]);
});

describe('stored items', () => {
  const earlier = [
    { id: 'msg_abc_1', type: 'message', role: 'user', content: 'One' },
    { id: 'rs_vendor', type: 'reasoning', summary: [], encrypted_content: 'gAAAA' },
    { id: 'rs_abc_2', type: 'reasoning', summary: [], encrypted_content: 'tallyport-1.x.y' },
    { id: 'rs_lost', type: 'reasoning', summary: [] },
    { id: 'ci_vendor', type: 'code_interpreter_call', container_id: 'cntr_own', code: '1' },
  ];
  const sent =
    '{"type":"message","role":"user","content":"One"},' + JSON.stringify(earlier[1]) + ',' + JSON.stringify(earlier[4]);

  test('are in front of the input, without our ids and without reasoning that the vendor cannot read', () => {
    expect(sentBody(String.raw`{"input":"\u00e9","previous_response_id":"resp_abc","model":"m"}`, { earlier })).toBe(
      String.raw`{"input":[${sent},{"type":"message","role":"user","content":"\u00e9"}],"previous_response_id":null,"model":"m"}`,
    );
  });

  test('may be none, and the vendor gets no id of ours either', () => {
    const body = (previous: string) =>
      `{"input":[{"role":"user","content":"Hi","n":1.0}],"previous_response_id":${previous},"model":"m"}`;
    expect(sentBody(body('"resp_abc"'), { earlier: [] })).toBe(body('null'));
  });

  test('take the places of their references, and the others keep their bytes', () => {
    const referenced = new Map([
      [1, earlier[1]!],
      [2, earlier[3]!],
    ]);
    const json =
      '{"model":"m","input":[ {"role":"user", "content":"a","n":1.0},{"id":"rs_vendor"},{"id":"rs_lost"} ,{"role":"user","content":"b"}]}';
    expect(sentBody(json, { referenced })).toBe(
      `{"model":"m","input":[{"role":"user", "content":"a","n":1.0},${JSON.stringify(earlier[1])},{"role":"user","content":"b"}]}`,
    );
  });

  test('that the client sends are left out if this gateway sealed them', () => {
    const json = JSON.stringify({ model: 'm', input: [user, earlier[2], user] });
    expect(sentBody(json)).toBe(JSON.stringify({ model: 'm', input: [user, user] }));
  });

  test('that no chat can express make the request untranslatable', () => {
    const { untranslatable } = read('{"input":"x","previous_response_id":"resp_abc","model":"m"}', { earlier });
    expect(untranslatable).toMatchObject({ param: 'previous_response_id' });
  });
});

test.each<[object, boolean]>([
  [{ background: false, conversation: null, prompt: null }, true],
  [
    {
      input: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'x', annotations: [{ file_id: 'f' }] }],
        },
        user,
      ],
    },
    true,
  ],
  [{ tools: [{ type: 'function', name: 'f', parameters: { properties: { file_id: { type: 'string' } } } }] }, true],
  [{ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }, true],
  [{ input: [{ type: 'reasoning', id: 'rs_1', summary: [] }, user] }, false],
  [{ input: [{ type: 'reasoning', summary: [] }, user] }, true],
  [{ input: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }, user] }, true],
])('%j may be passed on: %s', (members, expected) => {
  expect(read(JSON.stringify({ model: 'm', input: 'Hi', ...members })).native !== undefined).toBe(expected);
});

test.each<[object, string]>([
  [{ background: true }, 'background'],
  [{ conversation: 'c' }, 'conversation'],
  [{ prompt_cache_options: { comparison_response_id: 'r' } }, 'prompt_cache_options.comparison_response_id'],
  [{ prompt: { id: 'p' } }, 'prompt'],
  [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0].type'],
  [{ input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] }, 'input[0].content[0].file_id'],
  [{ tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }, 'tools[0].type'],
  [{ tools: [{ type: 'image_generation', input_image_mask: { file_id: 'f' } }] }, 'tools[0].type'],
  [{ tools: [{ type: 'file_search', vector_store_ids: ['vs'] }] }, 'tools[0].type'],
  [{ model: '' }, 'model'],
])('%j is refused for every provider', (members, param) => {
  expect(() => read(JSON.stringify({ model: 'm', input: 'Hi', ...members }))).toThrow(
    expect.objectContaining({ status: 400, param }),
  );
});

describe('a response that is passed on', () => {
  const json = '{"model":"m","input":"Hi","previous_response_id":"resp_before"}';
  const event = (type: string, number: number, members: object = {}) => ({
    event: type,
    json: JSON.stringify({ type, sequence_number: number, ...members }),
  });
  const response = { id: 'resp_v', status: 'in_progress', store: false, previous_response_id: null, output: [] };
  const ours = { ...response, store: true, previous_response_id: 'resp_before' };

  test('says what is stored here, and nothing else changes', () => {
    const whole = read(json).passed.whole(Buffer.from(`{ "n":1.0,"store":false,"previous_response_id":null}`));
    expect(whole.toString()).toBe(`{ "n":1.0,"store":true,"previous_response_id":"resp_before"}`);
    const unstored = '{"store":false,"n":1.0}';
    expect(read('{"model":"m","input":"Hi","store":false}').passed.whole(Buffer.from(unstored)).toString()).toBe(
      unstored,
    );
  });

  test('holds its last event until the end', () => {
    const stream = read(json).passed.stream();
    expect(stream.event(event('response.created', 0, { response }))).toEqual([
      event('response.created', 0, { response: ours }),
    ]);
    const future = event('response.future.delta', 1, { response: { store: false } });
    expect(stream.event(future)).toEqual([future]);
    expect(stream.event(event('response.completed', 2, { response }))).toEqual([]);
    expect(stream.end()).toEqual([event('response.completed', 2, { response: ours })]);
  });

  test('that breaks ends with the next number and what was finished', () => {
    const stream = read(json).passed.stream();
    const item = { id: 'msg_v', type: 'message' };
    stream.event(event('response.created', 0, { response }));
    stream.event(event('response.output_text.delta', 1, { delta: '"sequence_number":99,' }));
    stream.event(event('response.output_item.done', 2, { item }));
    expect(stream.fail(new GatewayError('unavailable', 'Lost.'))).toEqual([
      event('response.failed', 3, {
        response: { ...ours, status: 'failed', output: [item], error: { code: 'server_error', message: 'Lost.' } },
      }),
    ]);
  });

  test('that breaks before it began is a response as well', () => {
    const [failed] = read(json).passed.stream().fail(new GatewayError('unavailable', 'Lost.'));
    expect(JSON.parse(failed?.json ?? '')).toMatchObject({
      sequence_number: 0,
      response: { object: 'response', status: 'failed' },
    });
  });
});
