import type { Offer } from '@tallyport/contracts';
import type { ChatMessage, ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { googleVertex } from '../google-vertex/chat.ts';
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

test('sends the API version and the accepted content type', () => {
  const { path, headers, body } = anthropic.request(callOf({}), vendorOffer(anthropic));
  expect({ path, headers, stream: JSON.parse(body).stream }).toEqual({
    path: '/messages',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', accept: 'text/event-stream' },
    stream: true,
  });
});

describe('max_tokens, which the vendor requires', () => {
  test.each<[string, Partial<ChatRequest>, string, number | undefined, number]>([
    ['is the maximum of the offer', {}, newest, 1_000, 1_000],
    ['is the maximum of the newest models', {}, newest, undefined, 128_000],
    ['4.5', {}, budget45, undefined, 64_000],
    ['opus 4.1', {}, 'claude-opus-4-1-20250805', undefined, 32_000],
    ['opus 4', {}, 'claude-opus-4-20250514', undefined, 32_000],
    ['3.5', {}, 'claude-3-5-haiku-20241022', undefined, 8_192],
    ['3', {}, 'claude-3-haiku-20240307', undefined, 4_096],
    ['is what the client asks for', { max_tokens: 5 }, newest, undefined, 5],
    ['prefers max_completion_tokens', { max_tokens: 5, max_completion_tokens: 7 }, newest, undefined, 7],
    ['is capped at the maximum', { max_tokens: 1_001 }, newest, 1_000, 1_000],
  ])('%s', (_name, request, model, maxOutput, maxTokens) => {
    expect(sent(request, model, maxOutput === undefined ? {} : { maxOutput }).max_tokens).toBe(maxTokens);
  });
});

describe('messages', () => {
  test('puts a user message before an assistant greeting', () => {
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

  test('sends instructions alone as a user message', () => {
    const body = sent({ messages: [{ role: 'system', content: 'Say hi.' }] });
    expect([body.system, body.messages]).toEqual([undefined, [user(text('Say hi.'))]]);
  });

  test('trims a prefilled answer and leaves out an empty one', () => {
    expect(
      messagesOf(
        [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b \n' },
        ],
        {},
        old,
      ).at(-1),
    ).toEqual({
      role: 'assistant',
      content: [text('b')],
    });
  });

  const begun: ChatMessage[] = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
  ];
  const silent: ChatMessage = { role: 'user', content: ' \n' };
  const schema = { type: 'object', properties: {} };

  test.each<[string, ChatMessage[], Partial<ChatRequest>, string]>([
    ['if the model does not support prefill', begun, {}, newest],
    ['if the last user message is empty', [...begun, silent], {}, old],
    ['if the model thinks', begun, { reasoning_effort: 'low' }, old],
    [
      'if the answer follows a schema',
      begun,
      { response_format: { type: 'json_schema', json_schema: { name: 's', schema } } },
      budget45,
    ],
  ])('ends with a user message %s', (_name, messages, changes, model) => {
    expect(messagesOf(messages, changes, model).slice(1)).toEqual([
      { role: 'assistant', content: [text('b')] },
      user(text('Continue.')),
    ]);
  });

  test('replaces a user message that is entirely empty', () => {
    expect(messagesOf([silent])).toEqual([user(text('Continue.'))]);
  });

  test('leaves out empty messages and joins their neighbours', () => {
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

  test('sends refusals of earlier turns as text', () => {
    const content = [
      { type: 'text' as const, text: 'a' },
      { type: 'refusal' as const, refusal: 'b' },
    ];
    expect(
      messagesOf([
        { role: 'user', content: 'x' },
        { role: 'assistant', content },
        { role: 'user', content: 'y' },
      ])[1].content,
    ).toEqual([text('a'), text('b')]);
  });

  test('rewrites call ids of other vendors in both calls and results', () => {
    const messages = messagesOf([
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'functions.x:0', type: 'function', function: { name: 'x', arguments: '' } }],
      },
      { role: 'tool', tool_call_id: 'functions.x:0', content: '' },
    ]);
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'functions_x_0_448624f5', name: 'x', input: {} }] },
      user({ type: 'tool_result', tool_use_id: 'functions_x_0_448624f5' }),
    ]);
  });

  test('passes on cache breakpoints', () => {
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
      'an image URL',
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
    ],
    [
      'an image with a wrong media type',
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
      'a file id',
      { type: 'file', file: { file_id: 'file_1' } },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
    ],
    [
      'a document URL',
      { type: 'file', file: { file_data: 'https://example.com/a.pdf' } },
      { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
    ],
  ])('%s', (_name, part, block) => {
    expect(blockOf(part)).toEqual(block);
  });

  test.each<[string, Part]>([
    ['an image of another type', { type: 'image_url', image_url: { url: 'data:image/tiff;base64,AA==' } }],
    ['an image that is not a URL', { type: 'image_url', image_url: { url: 'a.png' } }],
    ['a file of another type', { type: 'file', file: { file_data: 'data:application/zip;base64,AA==' } }],
    ['a file without data', { type: 'file', file: { filename: 'a.pdf' } }],
  ])('refuses %s and names its path', (_name, part) => {
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
    ['xhigh on a model without it', adaptive46, { reasoning_effort: 'xhigh' }, summarized, { effort: 'high' }],
    ['max', adaptive46, { reasoning_effort: 'max' }, summarized, { effort: 'max' }],
    ['few tokens', newest, { reasoning: { max_tokens: 2_048 } }, summarized, { effort: 'low' }],
    ['more tokens', newest, { reasoning: { max_tokens: 2_049 } }, summarized, { effort: 'medium' }],
    ['many tokens', newest, { reasoning: { max_tokens: 12_289 } }, summarized, { effort: 'high' }],
    ['our effort', newest, { reasoning: { effort: 'high' } }, summarized, { effort: 'high' }],
    ['a budget: none', budget45, { reasoning_effort: 'none' }, undefined, undefined],
    ['a budget: low', budget45, { reasoning_effort: 'low' }, enabled(1_024), undefined],
    ['a budget: medium', budget45, { reasoning_effort: 'medium' }, enabled(8_192), undefined],
    ['the client’s budget', budget45, { reasoning: { max_tokens: 5_000 } }, enabled(5_000), undefined],
    ['at least the minimum budget', budget45, { reasoning: { max_tokens: 1 } }, enabled(1_024), undefined],
    [
      'leaves room for the answer',
      budget45,
      { reasoning_effort: 'high', max_tokens: 10_000 },
      enabled(8_000),
      undefined,
    ],
    [
      'just enough room for the answer',
      budget45,
      { reasoning_effort: 'low', max_tokens: 1_280 },
      enabled(1_024),
      undefined,
    ],
    ['no room', budget45, { reasoning_effort: 'low', max_tokens: 1_279 }, undefined, undefined],
    [
      'a forced tool switches budget thinking off',
      budget45,
      { reasoning_effort: 'low', tools: [tool], tool_choice: 'required' },
      undefined,
      undefined,
    ],
    [
      'a forced tool switches adaptive thinking off',
      newest,
      { reasoning_effort: 'low', tools: [tool], tool_choice: 'required' },
      undefined,
      { effort: 'low' },
    ],
    [
      'none, on a model that always thinks',
      'claude-opus-5-5',
      { reasoning_effort: 'none' },
      undefined,
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

  test('is sent back unchanged, before text and calls', () => {
    expect(messagesOf(loop({ reasoning_details: details }), { reasoning_effort: 'low' })[1].content).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'secret' },
      text('Let me see.'),
      { type: 'tool_use', id: 'a', name: 'f', input: {} },
    ]);
  });

  test('is sent back whole if the client kept its streamed pieces', () => {
    const format = 'anthropic-claude-v1';
    const pieces = [
      { type: 'reasoning.text', text: 'h', format, index: 0 },
      { type: 'reasoning.text', text: 'm', format, index: 0 },
      { type: 'reasoning.text', text: 'foreign', format: 'other', index: 0 },
      { type: 'reasoning.text', signature: 'sig', format, index: 0 },
      { type: 'reasoning.encrypted', data: 'secret', format, index: 1 },
    ];
    expect(
      messagesOf(loop({ reasoning_details: pieces }), { reasoning_effort: 'low' })[1].content.slice(0, -2),
    ).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'secret' },
    ]);
  });

  const format = 'anthropic-claude-v1';
  const signed = (index: number, said?: string) => ({
    type: 'reasoning.text',
    signature: `sig${index}`,
    format,
    index,
    ...(said !== undefined && { text: said }),
  });
  const long = 'hm '.repeat(100);
  const thought = (index: number, thinking: string) => ({ type: 'thinking', thinking, signature: `sig${index}` });

  test.each([
    ['its text is in reasoning_content', [signed(0)], { reasoning_content: long }, [thought(0, long)]],
    ['its text is in reasoning', [signed(0)], { reasoning: long }, [thought(0, long)]],
    ['its text may be only the last piece as well', [signed(0)], { reasoning_content: 'hm' }, []],
    ['without text', [signed(0), signed(1)], {}, [thought(0, ''), thought(1, '')]],
    ['with empty text', [signed(0, '')], { reasoning_content: 'hm' }, [thought(0, '')]],
    [
      'its text differs from reasoning_content',
      [signed(0, 'hm'), signed(1)],
      { reasoning_content: 'hm' },
      [thought(0, 'hm'), thought(1, '')],
    ],
    ['the text belongs to one of two blocks', [signed(0), signed(1)], { reasoning_content: 'hm' }, []],
    ['part of the text belongs to another block', [signed(0, 'h'), signed(1)], { reasoning_content: 'hm' }, []],
  ])('of which the client kept only the last piece: %s', (_name, pieces, beside, expected) => {
    const messages = loop({ reasoning_details: pieces, ...beside });
    expect(messagesOf(messages, { reasoning_effort: 'low' })[1].content.slice(0, -2)).toEqual(expected);
  });

  test.each([newest, budget45])('of %s is off in a turn whose earlier thinking is lost', (model) => {
    expect(sent({ messages: loop({}), reasoning_effort: 'low' }, model).thinking).toBeUndefined();
  });

  test('resumes in the next turn', () => {
    const messages: ChatMessage[] = [...loop({}), { role: 'assistant', content: 'y' }, { role: 'user', content: 'z' }];
    expect(sent({ messages, reasoning_effort: 'low' }, budget45).thinking).toEqual(enabled(1_024));
  });

  test('of an earlier turn is left out of a request without thinking', () => {
    expect(messagesOf(loop({ reasoning_details: details }))[1].content).toHaveLength(2);
  });
});

describe('sampling', () => {
  const hints = { temperature: 1.5, top_p: 0.5, top_k: 3, seed: 1, frequency_penalty: 1, presence_penalty: 1 };
  const samplingOf = ({ temperature, top_p, top_k }: Record<string, unknown>) => ({ temperature, top_p, top_k });

  test.each<[string, string, Partial<ChatRequest>, object]>([
    ['passes all hints', old, hints, { temperature: 1, top_p: 0.5, top_k: 3 }],
    ['not both', budget45, hints, { temperature: 1, top_k: 3 }],
    ['one alone', budget45, { top_p: 0.5 }, { top_p: 0.5 }],
    ['drops all hints', newest, hints, {}],
    ['drops all hints while thinking', old, { ...hints, reasoning_effort: 'low' }, {}],
    ['ignores nulls', old, { temperature: null, top_p: null }, {}],
  ])('%s', (_name, model, request, expected) => {
    expect(samplingOf(sent(request, model))).toEqual({
      temperature: undefined,
      top_p: undefined,
      top_k: undefined,
      ...expected,
    });
  });
});

describe('other members', () => {
  test.each<[string, Partial<ChatRequest>, string, object]>([
    ['stop texts that are not blank', { stop: [' ', 'a', '\n'] }, newest, { stop_sequences: ['a'] }],
    ['one stop', { stop: 'a' }, newest, { stop_sequences: ['a'] }],
    ['no stop', { stop: '\n' }, newest, {}],
    ['the user', { user: 'u' }, newest, { metadata: { user_id: 'u' } }],
    ['safety_identifier', { safety_identifier: 'u' }, newest, { metadata: { user_id: 'u' } }],
    ['the tier', { service_tier: 'default' }, newest, { service_tier: 'standard_only' }],
    ['an unknown service tier', { service_tier: 'flex' }, newest, {}],
    ['n, which takes several calls', { n: 3 }, newest, {}],
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
    ['parallel_tool_calls without tools', { parallel_tool_calls: false }, newest, {}],
    [
      'parallel_tool_calls',
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
      {
        tools: [
          { name: 'f', input_schema: { type: 'object', properties: {}, additionalProperties: false }, strict: true },
        ],
      },
    ],
    [
      'strict tools with a schema that cannot be enforced',
      { tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: { type: 'object' } } }] },
      newest,
      { tools: [{ name: 'f', input_schema: { type: 'object' } }] },
    ],
    [
      'alternatives at the top level of a tool’s schema',
      { tools: [{ type: 'function', function: { name: 'f', parameters: { oneOf: [{ required: ['a'] }] } } }] },
      newest,
      {
        tools: [
          {
            name: 'f',
            input_schema: {
              type: 'object',
              properties: {},
              description: 'Constraints (JSON Schema): {"oneOf":[{"required":["a"]}]}',
            },
          },
        ],
      },
    ],
    ['empty lists of tools', { tools: [], functions: [] }, newest, {}],
    [
      'functions, which are called one at a time',
      { functions: [{ name: 'f' }], function_call: 'auto' },
      newest,
      {
        tools: [{ name: 'f', input_schema: { type: 'object', properties: {} } }],
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      },
    ],
    [
      'strict tools on models without them',
      { tools: [{ type: 'function', function: { name: 'f', strict: true } }], tool_choice: 'none' },
      old,
      { tools: [{ name: 'f', input_schema: { type: 'object', properties: {} } }], tool_choice: { type: 'none' } },
    ],
  ])('%s', (_name, request, modelName, members) => {
    const { model, max_tokens, messages, ...rest } = sent(request, modelName);
    expect([model, typeof max_tokens, messages]).toEqual([modelName, 'number', [user(text('Hi'))]]);
    expect(rest).toEqual(members);
  });

  test('declares tools called earlier, with tool_choice none', () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: 'x' },
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'g', arguments: '' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'r' },
    ];
    const { tools, tool_choice } = sent({ messages, tools: [] });
    expect({ tools, tool_choice }).toEqual({
      tools: [{ name: 'g', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'none' },
    });
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
])('refuses %s', (param, request) => {
  const call = callOf(request, false);
  expect(anthropic.unsupported?.(call, vendorOffer(anthropic))).toBe(param);
  expect(() => anthropic.request(call, vendorOffer(anthropic))).toThrow(
    expect.objectContaining({ code: 'unsupported_capability', param }),
  );
});

test.each(['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-fable-5-1'])(
  'refuses forced tools with %s, at Anthropic and at Google',
  (modelName) => {
    const call = callOf({ tools: [tool], tool_choice: 'required' }, false);
    for (const provider of [anthropic, googleVertex]) {
      const offer = vendorOffer(provider, { modelName });
      expect(provider.unsupported?.(call, offer)).toBe('tool_choice');
      expect(() => provider.request(call, offer)).toThrow(
        expect.objectContaining({ code: 'unsupported_capability', param: 'tool_choice' }),
      );
    }
  },
);
