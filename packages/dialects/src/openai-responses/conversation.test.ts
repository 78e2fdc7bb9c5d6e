import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { openAiResponses, previousResponseOf, readStoredItems, type ResponsesState } from './index.ts';
import { completionOf, eventsOf, chunksOf } from './testing/calls.ts';

function readContinued(body: object, state: Partial<ResponsesState> = {}) {
  let ids = 0;
  const request = {
    body: { model: 'm', ...body },
    bytes: Buffer.alloc(0),
    path: '',
    query: new URLSearchParams(),
    headers: {},
    now: () => 1_700_000_000,
    newId: () => String(++ids),
  };
  return openAiResponses.read(request, { earlier: [], referenced: new Map(), stores: true, ...state });
}

const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object' } }];
const call = {
  id: 'call_1',
  type: 'function' as const,
  function: { name: 'weather', arguments: '{}' },
  extra_content: { google: { thought_signature: 'signed' } },
};

describe('a request that continues a response', () => {
  const first = readContinued({ instructions: 'Be brief.', input: 'Weather?', tools });
  const response = first.answer(completionOf({ reasoning_content: 'Hm.', tool_calls: [call] }));
  const earlier = readStoredItems(JSON.parse(JSON.stringify([...first.input(), ...response.output]))) ?? [];
  const input = [{ type: 'function_call_output', call_id: 'call_1', output: 'Rain.' }];

  test('has what was said in front of its input, without its instructions, and signed as before', () => {
    const { chat } = readContinued({ input, instructions: 'Be long.' }, { earlier });
    expect(chat.messages).toEqual([
      { role: 'developer', content: 'Be long.' },
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain.' },
    ]);
  });

  test('names a wrong item by its place in its own input', () => {
    const image = { role: 'user', content: [{ type: 'input_image', file_id: 'file_1' }] };
    expect(() => readContinued({ input: [...input, image] }, { earlier })).toThrow(
      expect.objectContaining({ param: 'input[1].content[0].file_id' }),
    );
  });

  test('keeps settings and tools that the conversation brought', () => {
    const changes = [
      { type: 'configuration_update', id: 'cu_1', reasoning: { effort: 'high' } },
      { type: 'additional_tools', id: 'at_1', role: 'developer', tools },
    ];
    const { chat } = readContinued({ input: 'Hi' }, { earlier: readStoredItems(changes) ?? [] });
    expect(chat).toMatchObject({ reasoning_effort: 'high', tools: [{ function: { name: 'weather' } }] });
  });

  test('names the response in its own', () => {
    const continued = readContinued({ input: 'Hi', previous_response_id: 'resp_1' }, { earlier });
    expect(continued.answer(completionOf({}))).toMatchObject({ previous_response_id: 'resp_1', store: true });
  });
});

test.each([
  [{ previous_response_id: 'resp_1' }, 'resp_1'],
  [{ previous_response_id: null }, undefined],
  [{ previous_response_id: 7 }, undefined],
  ['text', undefined],
])('the previous response of %j is %s', (body, id) => {
  expect(previousResponseOf(body)).toBe(id);
});

test.each([
  [{}, true, true],
  [{ store: null }, true, true],
  [{ store: true }, true, true],
  [{ store: false }, true, false],
  [{ store: true }, false, false],
])('%j where responses are stored (%s): the response says store %s, in events as well', (body, stores, store) => {
  const read = readContinued({ input: 'Hi', ...body }, { stores });
  const completion = completionOf({ content: 'Yes.' });
  expect([read.store, read.answer(completion).store]).toEqual([store, store]);
  expect(eventsOf(read, chunksOf(completion)).at(-1)).toMatchObject({ data: { response: { store } } });
});

describe('the input as it is listed', () => {
  type Listed = OpenAI.Responses.ResponseInputMessageItem;

  test('a text is the message of a user', () => {
    expect(readContinued({ input: 'Hi' }).input()).toEqual([
      {
        type: 'message',
        id: 'msg_1_1',
        status: 'completed',
        role: 'user',
        content: [{ type: 'input_text', text: 'Hi' }],
      } satisfies Listed,
    ]);
  });

  test('items keep their ids and members, and get what is missing', () => {
    const input = [
      { role: 'developer', content: 'Be brief.', id: '' },
      { role: 'assistant', content: 'Yes?', id: 'msg_own', phase: 'commentary' },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}', status: 'incomplete' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Rain.' },
    ];
    expect(readContinued({ input }).input()).toEqual([
      {
        type: 'message',
        id: 'msg_1_1',
        status: 'completed',
        role: 'developer',
        content: [{ type: 'input_text', text: 'Be brief.' }],
      },
      {
        type: 'message',
        id: 'msg_own',
        status: 'completed',
        role: 'assistant',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'Yes?', annotations: [] }],
      },
      { ...input[2], id: 'fc_1_2' },
      { ...input[3], id: 'fco_1_3', status: 'completed' },
    ]);
  });
});

test.each([[[{ type: 'message', role: 'user', content: 'no id' }]], [['x']], ['text'], [undefined]])(
  '%j are no stored items',
  (value) => {
    expect(readStoredItems(value)).toBeUndefined();
  },
);

test('the names of stored members are those of the SDK', () => {
  expectTypeOf<'previous_response_id' | 'store'>().toExtend<keyof OpenAI.Responses.ResponseCreateParams>();
});
