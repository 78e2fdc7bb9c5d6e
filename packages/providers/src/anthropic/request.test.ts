import type { Offer } from '@switchyard/contracts';
import type { ChatMessage, ChatRequest } from '@switchyard/wire';
import { describe, expect, test } from 'vitest';
import { callOf, vendorOffer } from '../testing/translate.ts';
import { anthropic } from './chat.ts';

const newest = 'claude-opus-5';
const adaptive46 = 'claude-sonnet-4-6';
const budget45 = 'claude-sonnet-4-5-20250929';
const old = 'claude-sonnet-4-20250514';

const sent = (request: Partial<ChatRequest>, modelName = newest, offer: Partial<Offer> = {}) =>
  JSON.parse(anthropic.request(callOf(request, false), vendorOffer(anthropic, { modelName, ...offer })).body);

const user = (...content: unknown[]) => ({ role: 'user', content });
const text = (said: string) => ({ type: 'text', text: said });
const tool = { type: 'function' as const, function: { name: 'f', parameters: { type: 'object', properties: {} } } };

const messagesOf = (messages: ChatMessage[], changes: Partial<ChatRequest> = {}, modelName = newest) =>
  sent({ messages, ...changes }, modelName).messages;

test('the request names its version and what it wants back', () => {
  const { path, headers, body } = anthropic.request(callOf({}), vendorOffer(anthropic));
  expect({ path, headers, stream: JSON.parse(body).stream }).toEqual({
    path: '/messages',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', accept: 'text/event-stream' },
    stream: true,
  });
});

describe('max_tokens is required', () => {
  test.each<[string, Partial<ChatRequest>, string, number | undefined, number]>([
    ['the offer says how much', {}, newest, 1_000, 1_000],
    ['the newest models', {}, newest, undefined, 128_000],
    ['4.5', {}, budget45, undefined, 64_000],
    ['opus 4.1', {}, 'claude-opus-4-1-20250805', undefined, 32_000],
    ['opus 4', {}, 'claude-opus-4-20250514', undefined, 32_000],
    ['3.5', {}, 'claude-3-5-haiku-20241022', undefined, 8_192],
    ['3', {}, 'claude-3-haiku-20240307', undefined, 4_096],
    ['the client wants less', { max_tokens: 5 }, newest, undefined, 5],
    ['the new name wins', { max_tokens: 5, max_completion_tokens: 7 }, newest, undefined, 7],
    ['never more than there is', { max_tokens: 1_001 }, newest, 1_000, 1_000],
  ])('%s', (_name, request, model, maxOutput, maxTokens) => {
    expect(sent(request, model, maxOutput === undefined ? {} : { maxOutput }).max_tokens).toBe(maxTokens);
  });
});

describe('messages', () => {
  test('a greeting of the assistant gets something to answer to', () => {
    expect(
      messagesOf([
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: 'Hi' },
      ]),
    ).toEqual([
      user(text('(The conversation begins.)')),
      { role: 'assistant', content: [text('Hello!')] },
      user(text('Hi')),
    ]);
  });

  test('nothing but instructions is a question', () => {
    const body = sent({ messages: [{ role: 'system', content: 'Say hi.' }] });
    expect([body.system, body.messages]).toEqual([undefined, [user(text('Say hi.'))]]);
  });

  test('an answer to be gone on with does not end in blanks, and is not empty', () => {
    expect(
      messagesOf([
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b \n' },
      ]).at(-1),
    ).toEqual({
      role: 'assistant',
      content: [text('b')],
    });
  });

  test('what says nothing is left out, and its neighbours join', () => {
    expect(
      messagesOf([
        { role: 'user', content: 'a' },
        { role: 'assistant', content: '' },
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'b' },
          ],
        },
      ]),
    ).toEqual([user(text('a'), text('b'))]);
  });

  test('refusals of earlier turns are said', () => {
    const content = [
      { type: 'text' as const, text: 'a' },
      { type: 'refusal' as const, refusal: 'b' },
    ];
    expect(
      messagesOf([
        { role: 'user', content: 'x' },
        { role: 'assistant', content },
      ]).at(-1)?.content,
    ).toEqual([text('a'), text('b')]);
  });

  test('ids of other vendors are spelt as this one takes them, in calls and results alike', () => {
    const messages = messagesOf([
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'functions.x:0', type: 'function', function: { name: 'x', arguments: '' } }],
      },
      { role: 'tool', tool_call_id: 'functions.x:0', content: '' },
    ]);
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'functions_2ex_3a0', name: 'x', input: {} }] },
      user({ type: 'tool_result', tool_use_id: 'functions_2ex_3a0' }),
    ]);
  });

  test('where the cache may begin is passed on', () => {
    const part = { type: 'text' as const, text: 'long', cache_control: { type: 'ephemeral', ttl: '1h', other: 1 } };
    const body = sent({
      messages: [
        { role: 'system', content: [part] },
        { role: 'user', content: [part] },
      ],
      tools: [{ ...tool, cache_control: { type: 'ephemeral' } }],
    });
    const kept = { ...text('long'), cache_control: { type: 'ephemeral', ttl: '1h' } };
    expect([body.system[0], body.messages[0].content[0], body.tools[0].cache_control]).toEqual([
      kept,
      kept,
      { type: 'ephemeral' },
    ]);
  });
});

describe('parts', () => {
  type Part = Exclude<Extract<ChatMessage, { role: 'user' }>['content'], string>[number];
  const blockOf = (part: Part) => messagesOf([{ role: 'user', content: [part] }])[0].content[0];
  const pdf = 'JVBERi0=';

  test.each<[string, Part, unknown]>([
    [
      'an image by address',
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
    ],
    [
      'an image with a wrong label',
      { type: 'image_url', image_url: { url: 'data:image/png;base64,/9j/AA==' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/AA==' } },
    ],
    [
      'a document',
      { type: 'file', file: { file_data: `data:application/pdf;base64,${pdf}`, filename: 'a.pdf' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf }, title: 'a.pdf' },
    ],
    [
      'a text file',
      { type: 'file', file: { file_data: 'data:text/plain;base64,R3LDvMOfZQ==' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } },
    ],
    [
      'a file the vendor keeps',
      { type: 'file', file: { file_id: 'file_1' } },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
    ],
    [
      'a document by address',
      { type: 'file', file: { file_data: 'https://example.com/a.pdf' } },
      { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
    ],
  ])('%s', (_name, part, block) => {
    expect(blockOf(part)).toEqual(block);
  });

  test.each<[string, Part]>([
    ['an image of another type', { type: 'image_url', image_url: { url: 'data:image/tiff;base64,AA==' } }],
    ['an image that is no address', { type: 'image_url', image_url: { url: 'a.png' } }],
    ['a file of another type', { type: 'file', file: { file_data: 'data:application/zip;base64,AA==' } }],
    ['a file without data', { type: 'file', file: { filename: 'a.pdf' } }],
  ])('%s is refused by its place', (_name, part) => {
    expect(() => messagesOf([{ role: 'user', content: [{ type: 'text', text: 'x' }, part] }])).toThrow(
      expect.objectContaining({ code: 'unsupported_capability', param: 'messages[0].content[1]' }),
    );
  });
});

describe('thinking', () => {
  const summarized = { type: 'adaptive', display: 'summarized' };
  const enabled = (budget_tokens: number) => ({ type: 'enabled', budget_tokens });

  test.each<[string, string, Partial<ChatRequest>, unknown, unknown]>([
    ['nothing wished', newest, {}, undefined, undefined],
    ['none', newest, { reasoning_effort: 'none' }, { type: 'disabled' }, undefined],
    ['minimal', newest, { reasoning_effort: 'minimal' }, summarized, { effort: 'low' }],
    ['xhigh', newest, { reasoning_effort: 'xhigh' }, summarized, { effort: 'xhigh' }],
    ['xhigh where there is none', adaptive46, { reasoning_effort: 'xhigh' }, summarized, { effort: 'high' }],
    ['max', adaptive46, { reasoning_effort: 'max' }, summarized, { effort: 'max' }],
    ['few tokens', newest, { reasoning: { max_tokens: 2_048 } }, summarized, { effort: 'low' }],
    ['more tokens', newest, { reasoning: { max_tokens: 2_049 } }, summarized, { effort: 'medium' }],
    ['many tokens', newest, { reasoning: { max_tokens: 12_289 } }, summarized, { effort: 'high' }],
    ['our effort', newest, { reasoning: { effort: 'high' } }, summarized, { effort: 'high' }],
    ['a budget: none', budget45, { reasoning_effort: 'none' }, undefined, undefined],
    ['a budget: low', budget45, { reasoning_effort: 'low' }, enabled(1_024), undefined],
    ['a budget: medium', budget45, { reasoning_effort: 'medium' }, enabled(8_192), undefined],
    ['a budget of the client', budget45, { reasoning: { max_tokens: 5_000 } }, enabled(5_000), undefined],
    ['never less than the least', budget45, { reasoning: { max_tokens: 1 } }, enabled(1_024), undefined],
    ['room for the answer', budget45, { reasoning_effort: 'high', max_tokens: 10_000 }, enabled(8_000), undefined],
    ['just enough room', budget45, { reasoning_effort: 'low', max_tokens: 1_280 }, enabled(1_024), undefined],
    ['no room', budget45, { reasoning_effort: 'low', max_tokens: 1_279 }, undefined, undefined],
    [
      'a forced tool leaves a budget no thought',
      budget45,
      { reasoning_effort: 'low', tools: [tool], tool_choice: 'required' },
      undefined,
      undefined,
    ],
    [
      'a forced tool leaves the newest theirs',
      newest,
      { reasoning_effort: 'low', tools: [tool], tool_choice: 'required' },
      summarized,
      { effort: 'low' },
    ],
    ['models that do not think', 'claude-3-5-sonnet-20241022', { reasoning_effort: 'low' }, undefined, undefined],
  ])('%s', (_name, model, request, thinking, outputConfig) => {
    const body = sent(request, model);
    expect([body.thinking, body.output_config]).toEqual([thinking, outputConfig]);
  });

  const details = [
    { type: 'reasoning.text', text: 'hm', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
    { type: 'reasoning.encrypted', data: 'secret', format: 'anthropic-claude-v1', index: 1 },
    { type: 'reasoning.text', text: 'unsigned', format: 'anthropic-claude-v1', index: 2 },
    { type: 'reasoning.encrypted', data: 'foreign', format: 'google-gemini-v1', index: 3 },
  ];
  const loop = (more: object): ChatMessage[] => [
    { role: 'user', content: 'x' },
    {
      role: 'assistant',
      content: 'Let me see.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      ...more,
    },
    { role: 'tool', tool_call_id: 'a', content: 'r' },
  ];

  test('comes back as it was, before what was said and called', () => {
    expect(messagesOf(loop({ reasoning_details: details }), { reasoning_effort: 'low' })[1].content).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'secret' },
      text('Let me see.'),
      { type: 'tool_use', id: 'a', name: 'f', input: {} },
    ]);
  });

  test.each([newest, budget45])('of %s rests in a turn whose thoughts were lost', (model) => {
    expect(sent({ messages: loop({}), reasoning_effort: 'low' }, model).thinking).toBeUndefined();
  });

  test('goes on in the next turn', () => {
    const messages: ChatMessage[] = [...loop({}), { role: 'assistant', content: 'y' }, { role: 'user', content: 'z' }];
    expect(sent({ messages, reasoning_effort: 'low' }, budget45).thinking).toEqual(enabled(1_024));
  });

  test('of an earlier turn stays away from a request that does not think', () => {
    expect(messagesOf(loop({ reasoning_details: details }))[1].content).toHaveLength(2);
  });
});

describe('sampling', () => {
  const hints = { temperature: 1.5, top_p: 0.5, top_k: 3, seed: 1, frequency_penalty: 1, presence_penalty: 1 };
  const samplingOf = ({ temperature, top_p, top_k }: Record<string, unknown>) => ({ temperature, top_p, top_k });

  test.each<[string, string, Partial<ChatRequest>, object]>([
    ['all of it', old, hints, { temperature: 1, top_p: 0.5, top_k: 3 }],
    ['not both', budget45, hints, { temperature: 1, top_k: 3 }],
    ['one alone', budget45, { top_p: 0.5 }, { top_p: 0.5 }],
    ['none of it', newest, hints, {}],
    ['none of it while thinking', old, { ...hints, reasoning_effort: 'low' }, {}],
    ['nulls say nothing', old, { temperature: null, top_p: null }, {}],
  ])('%s', (_name, model, request, expected) => {
    expect(samplingOf(sent(request, model))).toEqual({
      temperature: undefined,
      top_p: undefined,
      top_k: undefined,
      ...expected,
    });
  });
});

describe('the rest', () => {
  test.each<[string, Partial<ChatRequest>, string, object]>([
    ['stops that say something', { stop: [' ', 'a', '\n'] }, newest, { stop_sequences: ['a'] }],
    ['one stop', { stop: 'a' }, newest, { stop_sequences: ['a'] }],
    ['no stop', { stop: '\n' }, newest, {}],
    ['the user', { user: 'u' }, newest, { metadata: { user_id: 'u' } }],
    ['the user by its new name', { safety_identifier: 'u' }, newest, { metadata: { user_id: 'u' } }],
    ['the tier', { service_tier: 'default' }, newest, { service_tier: 'standard_only' }],
    ['a tier unknown here', { service_tier: 'flex' }, newest, {}],
    ['n is several calls', { n: 3 }, newest, {}],
    [
      'any JSON object',
      { response_format: { type: 'json_object' } },
      newest,
      { system: [text('Answer with one JSON object and nothing else: no explanation, no code fence.')] },
    ],
    [
      'a search',
      { web_search_options: { user_location: { type: 'approximate', approximate: { city: 'Rome', country: '' } } } },
      newest,
      {
        tools: [
          {
            type: 'web_search_20250305',
            name: 'web_search',
            user_location: { type: 'approximate', city: 'Rome' },
          },
        ],
      },
    ],
    ['one tool at a time, without tools', { parallel_tool_calls: false }, newest, {}],
    [
      'one tool at a time',
      { parallel_tool_calls: false, tools: [tool] },
      newest,
      {
        tools: [{ name: 'f', input_schema: { type: 'object', properties: {} } }],
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      },
    ],
    [
      'strict tools',
      { tools: [{ type: 'function', function: { name: 'f', strict: true } }] },
      newest,
      { tools: [{ name: 'f', input_schema: { type: 'object', properties: {} }, strict: true }] },
    ],
    [
      'strict tools of models that know none',
      { tools: [{ type: 'function', function: { name: 'f', strict: true } }], tool_choice: 'none' },
      old,
      { tools: [{ name: 'f', input_schema: { type: 'object', properties: {} } }], tool_choice: { type: 'none' } },
    ],
  ])('%s', (_name, request, modelName, members) => {
    const { model, max_tokens, messages, ...rest } = sent(request, modelName);
    expect([model, typeof max_tokens, messages]).toEqual([modelName, 'number', [user(text('Hi'))]]);
    expect(rest).toEqual(members);
  });

  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const format = { type: 'json_schema' as const, json_schema: { name: 'f', description: 'd', schema } };
  const answer = (name: string) => ({ name, description: 'd', input_schema: schema });
  const client = { name: 'f', input_schema: { type: 'object', properties: {} } };

  test.each<[string, Partial<ChatRequest>, object]>([
    ['alone', {}, { tools: [answer('f')], tool_choice: { type: 'tool', name: 'f' } }],
    ['beside tools', { tools: [tool] }, { tools: [client, answer('f_json')], tool_choice: { type: 'any' } }],
    [
      'beside tools not to be used',
      { tools: [tool], tool_choice: 'none' },
      { tools: [client, answer('f_json')], tool_choice: { type: 'tool', name: 'f_json' } },
    ],
    [
      'beside the tool to be used',
      { tools: [tool], tool_choice: { type: 'function', function: { name: 'f' } } },
      { tools: [client, answer('f_json')], tool_choice: { type: 'tool', name: 'f' } },
    ],
  ])('an answer by schema is a tool for older models, %s', (_name, request, expected) => {
    const { tools, tool_choice } = sent({ ...request, response_format: format }, old);
    expect({ tools, tool_choice }).toEqual(expected);
  });
});

test.each<[string, Partial<ChatRequest>]>([
  ['logprobs', { logprobs: true, top_logprobs: 2 }],
  ['top_logprobs', { top_logprobs: 1 }],
  ['modalities', { modalities: ['text', 'audio'] }],
  ['tools', { tools: [{ type: 'custom', custom: { name: 'c' } }] }],
  [
    'messages',
    { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }] }] },
  ],
])('%s excludes these models', (param, request) => {
  const call = callOf(request, false);
  expect(anthropic.unsupported?.(call, vendorOffer(anthropic))).toBe(param);
  expect(() => anthropic.request(call, vendorOffer(anthropic))).toThrow(
    expect.objectContaining({ code: 'unsupported_capability', param }),
  );
});
