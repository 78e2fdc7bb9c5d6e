import { describe, expect, test } from 'vitest';
import type { ChatRequest } from '@tallyport/wire';
import { callOf, vendorOffer } from '../testing/translate.ts';
import { awsBedrock } from './chat.ts';

const usual = 'vendor.model-v1:0';
const native = 'us.anthropic.claude-haiku-4-5-20251001-v1:0';
const newest = 'us.anthropic.claude-opus-4-8';

const sent = (request: Partial<ChatRequest>, modelName = usual, maxOutput?: number) => {
  const offer = vendorOffer(awsBedrock, { modelName, ...(maxOutput !== undefined && { maxOutput }) });
  return JSON.parse(awsBedrock.request(callOf(request, false), offer).body);
};
const hi = { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] };
const user = (...content: unknown[]) => ({ role: 'user' as const, content });
const assistant = (...content: unknown[]) => ({ role: 'assistant' as const, content });

test.each([
  [false, usual, '/model/vendor.model-v1%3A0/converse', 'application/json'],
  [true, usual, '/model/vendor.model-v1%3A0/converse-stream', 'application/vnd.amazon.eventstream'],
  [
    false,
    'arn:aws:bedrock:eu-west-1:1:inference-profile/eu.m',
    '/model/arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.m/converse',
    'application/json',
  ],
])('streamed %s, sends %s as a path segment', (stream, modelName, path, accept) => {
  const made = awsBedrock.request(callOf({}, stream), vendorOffer(awsBedrock, { modelName }));
  expect(made).toMatchObject({ method: 'POST', path, headers: { 'content-type': 'application/json', accept } });
});

describe('messages', () => {
  test('joins neighbours of one role and puts a user message before a greeting', () => {
    const messages: ChatRequest['messages'] = [
      { role: 'assistant', content: 'Welcome.' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      { role: 'user', content: 'One' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '' },
          { type: 'text', text: 'Two' },
        ],
      },
    ];
    expect(sent({ messages }).messages).toEqual([
      user({ text: '(The conversation begins.)' }),
      assistant({ text: 'Welcome.' }, { text: 'No.' }),
      user({ text: 'One' }, { text: 'Two' }),
    ]);
  });

  test('sends instructions alone as a user message', () => {
    expect(sent({ messages: [{ role: 'system', content: 'Say hi.' }] })).toEqual({
      messages: [user({ text: 'Say hi.' })],
    });
  });

  test('trims a prefilled answer', () => {
    const messages: ChatRequest['messages'] = [
      { role: 'user', content: 'Count.' },
      { role: 'assistant', content: 'One, \n' },
    ];
    expect(sent({ messages }).messages[1]).toEqual(assistant({ text: 'One,' }));
  });

  const begun: ChatRequest['messages'] = [
    { role: 'user', content: 'Count.' },
    { role: 'assistant', content: 'One,' },
  ];

  test.each<[string, ChatRequest['messages'], string]>([
    ['for Claude models without prefill', begun, newest],
    ['if the last user message is empty', [...begun, { role: 'user', content: ' ' }], usual],
  ])('ends with a user message %s', (_name, messages, modelName) => {
    expect(sent({ messages }, modelName).messages).toEqual([
      user({ text: 'Count.' }),
      assistant({ text: 'One,' }),
      user({ text: 'Continue.' }),
    ]);
  });

  test('sends a refusal as text of the assistant', () => {
    const messages: ChatRequest['messages'] = [
      { role: 'user', content: 'Do it.' },
      { role: 'assistant', content: 'Hm.', refusal: 'No.' },
      { role: 'user', content: 'Why?' },
    ];
    expect(sent({ messages }).messages[1]).toEqual(assistant({ text: 'Hm.' }, { text: 'No.' }));
  });

  test('gives documents clean, unique names and a format from their name or type', () => {
    const file = (filename: string | undefined, type: string) => ({
      type: 'file' as const,
      file: { filename, file_data: `data:${type};base64,QUJD` },
    });
    const content = [
      file('a_b  c.v2.pdf', 'application/pdf'),
      file('a_b  c.v2.pdf', 'application/pdf'),
      file('notes.MD', 'text/plain'),
      file(undefined, 'text/csv'),
    ];
    const source = { bytes: 'QUJD' };
    expect(sent({ messages: [{ role: 'user', content }] }).messages[0].content).toEqual([
      { document: { format: 'pdf', name: 'a-b c-v2', source } },
      { document: { format: 'pdf', name: 'a-b c-v2 2', source } },
      { document: { format: 'md', name: 'notes', source } },
      { document: { format: 'csv', name: 'document', source } },
    ]);
  });

  test.each<[string, ChatRequest['messages'][number], string]>([
    [
      'an image that is not a data URL',
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.test/x.png' } }] },
      'messages[0].content[0].image_url',
    ],
    ['a file id', { role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }, 'messages[0].content[0]'],
    [
      'a file of an unsupported type',
      { role: 'user', content: [{ type: 'file', file: { file_data: 'data:application/zip;base64,QUJD' } }] },
      'messages[0].content[0]',
    ],
    [
      'audio',
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } }] },
      'messages',
    ],
  ])('refuses %s and names the part', (_name, message, param) => {
    expect(() => sent({ messages: [message] })).toThrow(
      expect.objectContaining({ code: 'unsupported_capability', param }),
    );
  });

  test('adds cache points after parts that ask for them, if the model supports them', () => {
    const messages: ChatRequest['messages'] = [
      { role: 'system', content: [{ type: 'text', text: 'Long.', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      { role: 'user', content: [{ type: 'text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit' } }] },
    ];
    expect(sent({ messages }, native)).toEqual({
      system: [{ text: 'Long.' }, { cachePoint: { type: 'default', ttl: '1h' } }],
      messages: [user({ text: 'Hi' }, { cachePoint: { type: 'default' } })],
    });
    expect(sent({ messages })).toEqual({ ...hi, system: [{ text: 'Long.' }] });
  });

  test('adds the cache point of a message after its last part', () => {
    const cache_control = { type: 'ephemeral' };
    expect(sent({ messages: [{ role: 'user', content: 'Hi', cache_control }] }, native).messages).toEqual([
      user({ text: 'Hi' }, { cachePoint: { type: 'default' } }),
    ]);
  });
});

describe('calls', () => {
  const conversation = (id: string): ChatRequest['messages'] => [
    { role: 'user', content: 'Go' },
    { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '' } }] },
    { role: 'tool', tool_call_id: id, content: '' },
  ];
  const idsIn = (id: string, modelName: string) => {
    const [, call, result] = sent({ messages: conversation(id) }, modelName).messages;
    return [call.content[0].toolUse.toolUseId, result.content[0].toolResult.toolUseId];
  };
  const longest = 'a'.repeat(64);

  test.each([
    ['tooluse_Ab-1', usual, 'tooluse_Ab-1'],
    [longest, usual, longest],
    [`${longest}a`, usual, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_635361c4'],
    ['functions.x:0', usual, 'functions_x_0_448624f5'],
    ['functions.x:0', 'moonshot.kimi-k2-thinking', 'functions.x:0'],
    ['', usual, '_e3b0c442'],
  ])('the id %j goes to %s as %j, in call and result', (id, modelName, expected) => {
    expect(idsIn(id, modelName)).toEqual([expected, expected]);
  });

  test('declares tools called earlier and replaces empty results', () => {
    const body = sent({ messages: conversation('a') });
    expect(body.toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object', properties: {} } } } }],
    });
    expect(body.messages[2]).toEqual(user({ toolResult: { toolUseId: 'a', content: [{ text: '(no output)' }] } }));
  });

  const tools: ChatRequest['tools'] = [{ type: 'function', function: { name: 'f', strict: true } }];
  const spec = { toolSpec: { name: 'f', inputSchema: { json: { type: 'object', properties: {} } }, strict: true } };

  test.each<[string, ChatRequest['tool_choice'], string, unknown]>([
    ['nothing said', undefined, usual, { tools: [spec] }],
    ['auto', 'auto', usual, { tools: [spec], toolChoice: { auto: {} } }],
    ['required', 'required', usual, { tools: [spec], toolChoice: { any: {} } }],
    [
      'one',
      { type: 'function', function: { name: 'f' } },
      usual,
      { tools: [spec], toolChoice: { tool: { name: 'f' } } },
    ],
    [
      'a named tool, on a model that supports only any',
      { type: 'function', function: { name: 'f' } },
      'mistral.mistral-large-3-675b-instruct',
      { tools: [spec], toolChoice: { any: {} } },
    ],
    ['none', 'none', usual, undefined],
    ['auto, on a model without tool choice', 'auto', 'us.meta.llama4-scout-17b-instruct-v1:0', { tools: [spec] }],
  ])('tool_choice: %s', (_name, tool_choice, modelName, toolConfig) => {
    expect(sent({ tools, tool_choice }, modelName).toolConfig).toEqual(toolConfig);
  });

  test('a model that supports only any is offered only the named tool, also after calls of others', () => {
    const other = { id: 'a', type: 'function' as const, function: { name: 'g', arguments: '{}' } };
    const request: Partial<ChatRequest> = {
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', tool_calls: [other] },
        { role: 'tool', tool_call_id: 'a', content: 'ok' },
      ],
      tools: [{ type: 'function', function: { name: 'g' } }, ...tools],
      tool_choice: { type: 'function', function: { name: 'f' } },
    };
    const only = { tools: [spec], toolChoice: { any: {} } };
    expect(sent(request, 'mistral.mistral-large-3-675b-instruct').toolConfig).toEqual(only);
  });

  test('the stop text is asked for where there are several and the model names it', () => {
    const paths = (stop: string[], modelName: string) => sent({ stop }, modelName).additionalModelResponseFieldPaths;
    expect(paths(['A', 'B'], native)).toEqual(['/stop_sequence']);
    expect(paths(['A'], native)).toBeUndefined();
    expect(paths(['A', 'B'], usual)).toBeUndefined();
  });

  const single = (tool_choice?: ChatRequest['tool_choice']) =>
    sent({ tools: [{ type: 'function', function: { name: 'f' } }], tool_choice, parallel_tool_calls: false }, native);

  test.each<[string, ChatRequest['tool_choice'], unknown, unknown]>([
    ['nothing said', undefined, undefined, { type: 'auto', disable_parallel_tool_use: true }],
    ['auto', 'auto', { auto: {} }, { disable_parallel_tool_use: true }],
    ['required', 'required', { any: {} }, { disable_parallel_tool_use: true }],
    [
      'one',
      { type: 'function', function: { name: 'f' } },
      { tool: { name: 'f' } },
      { disable_parallel_tool_use: true },
    ],
  ])('sends disable_parallel_tool_use without repeating the choice: %s', (_name, choice, toolChoice, own) => {
    const { toolConfig, additionalModelRequestFields } = single(choice);
    expect([toolConfig.toolChoice, additionalModelRequestFields.tool_choice]).toEqual([toolChoice, own]);
  });

  const toolOf = (modelName: string, parameters: Record<string, unknown>) =>
    sent({ tools: [{ type: 'function', function: { name: 'f', strict: true, parameters } }] }, modelName).toolConfig
      .tools[0].toolSpec;
  const open = { type: 'object', properties: {} };

  test.each<[string, string, Record<string, unknown>, object]>([
    [
      'closed for Claude',
      native,
      open,
      { inputSchema: { json: { ...open, additionalProperties: false } }, strict: true },
    ],
    ['not strict if it cannot be closed', native, { type: 'object' }, { inputSchema: { json: { type: 'object' } } }],
    [
      'not strict for older Claude models',
      'us.anthropic.claude-sonnet-4-20250514-v1:0',
      open,
      { inputSchema: { json: open } },
    ],
    ['sent unchanged to other models', usual, open, { inputSchema: { json: open }, strict: true }],
    ['sent with a type', usual, { properties: {} }, { inputSchema: { json: open }, strict: true }],
  ])('a strict tool is %s', (_name, modelName, parameters, expected) => {
    expect(toolOf(modelName, parameters)).toEqual({ name: 'f', ...expected });
  });

  test('limits functions of the old form to one call at a time', () => {
    const body = sent({ functions: [{ name: 'f' }], function_call: { name: 'f' } }, native);
    expect([body.toolConfig.toolChoice, body.additionalModelRequestFields]).toEqual([
      { tool: { name: 'f' } },
      { tool_choice: { disable_parallel_tool_use: true } },
    ]);
  });

  test('refuses a forced tool for a model without tool choice', () => {
    const request = callOf({ tools, tool_choice: 'required' });
    const offer = vendorOffer(awsBedrock, { modelName: 'meta.llama3-1-8b-instruct-v1:0' });
    expect(awsBedrock.unsupported?.(request, offer)).toBe('tool_choice');
    expect(() => awsBedrock.request(request, offer)).toThrow(
      expect.objectContaining({ code: 'unsupported_capability', param: 'tool_choice' }),
    );
  });
});

test('refuses a web search', () => {
  const [call, offer] = [callOf({ web_search_options: {} }), vendorOffer(awsBedrock)];
  expect(awsBedrock.unsupported?.(call, offer)).toBe('web_search_options');
  expect(() => awsBedrock.request(call, offer)).toThrow(
    expect.objectContaining({ code: 'unsupported_capability', param: 'web_search_options' }),
  );
});

describe('log probabilities, which the API does not return', () => {
  test.each<[string, Partial<ChatRequest>]>([
    ['logprobs', { logprobs: true, top_logprobs: 2 }],
    ['top_logprobs', { top_logprobs: 1 }],
  ])('refuses %s', (param, request) => {
    const [call, offer] = [callOf(request), vendorOffer(awsBedrock)];
    expect(awsBedrock.unsupported?.(call, offer)).toBe(param);
    expect(() => awsBedrock.request(call, offer)).toThrow(
      expect.objectContaining({ code: 'unsupported_capability', param }),
    );
  });

  test('accepts a request that switches them off', () => {
    expect(sent({ logprobs: false, top_logprobs: 0 })).toEqual(hi);
    expect(sent({ logprobs: null, top_logprobs: null })).toEqual(hi);
  });
});

describe('structured answers', () => {
  const schema = { type: 'object', properties: { x: { type: 'number' } } };
  const response_format = { type: 'json_schema' as const, json_schema: { name: 'n', description: 'An x.', schema } };

  test('use structured outputs if the model supports them', () => {
    const closed = JSON.stringify({ ...schema, additionalProperties: false });
    const jsonSchema = { schema: closed, name: 'n', description: 'An x.' };
    expect(sent({ response_format }, native)).toEqual({
      ...hi,
      outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } },
    });
  });

  test('use a tool for a schema that structured outputs do not support', () => {
    const map = { type: 'object', additionalProperties: { type: 'number' } };
    const format = { type: 'json_schema' as const, json_schema: { name: 'n', schema: map } };
    const { toolConfig, outputConfig } = sent({ response_format: format }, native);
    expect([toolConfig.tools[0].toolSpec.inputSchema.json, toolConfig.toolChoice, outputConfig]).toEqual([
      map,
      { tool: { name: 'answer_as_json' } },
      undefined,
    ]);
  });

  const answer = { toolSpec: { name: 'answer_as_json', description: 'An x.', inputSchema: { json: schema } } };

  test('use a forced tool on other models', () => {
    expect(sent({ response_format })).toEqual({
      ...hi,
      toolConfig: { tools: [answer], toolChoice: { tool: { name: 'answer_as_json' } } },
    });
  });

  test('let the model choose between the answer and other tools', () => {
    const { toolConfig } = sent({
      response_format,
      tools: [{ type: 'function', function: { name: 'f' } }],
      tool_choice: 'auto',
    });
    expect(toolConfig.tools).toHaveLength(2);
    expect(toolConfig.toolChoice).toEqual({ any: {} });
  });

  test('use an instruction if nothing else is supported', () => {
    expect(sent({ response_format }, 'meta.llama3-3-70b-instruct-v1:0').system[0].text).toContain(
      JSON.stringify(schema),
    );
    expect(sent({ response_format: { type: 'json_object' } })).toEqual({
      ...hi,
      system: [{ text: 'Answer with one valid JSON object and nothing else.' }],
    });
  });
});

describe('other members', () => {
  test.each<[string, string, Partial<ChatRequest>, object]>([
    ['temperature is at most 1', usual, { temperature: 1.5 }, { inferenceConfig: { temperature: 1 } }],
    [
      'only one of temperature and top_p',
      native,
      { temperature: 0.5, top_p: 0.9 },
      { inferenceConfig: { temperature: 0.5 } },
    ],
    ['no hints', newest, { temperature: 0.5, top_p: 0.9 }, {}],
    [
      'prefers max_completion_tokens',
      usual,
      { max_tokens: 5, max_completion_tokens: 6 },
      { inferenceConfig: { maxTokens: 6 } },
    ],
    ['one stop', usual, { stop: 'X' }, { inferenceConfig: { stopSequences: ['X'] } }],
    ['blank stops', usual, { stop: ['', ' '] }, {}],
    ['a tier', usual, { service_tier: 'flex' }, { serviceTier: { type: 'flex' } }],
    ['an unknown service tier', usual, { service_tier: 'auto' }, {}],
    [
      'metadata without entries the vendor refuses',
      usual,
      { user: 'u-1', metadata: { a: 'b', quote: '"', long: 'x'.repeat(257), longest: 'x'.repeat(256) } },
      { requestMetadata: { a: 'b', longest: 'x'.repeat(256), user: 'u-1' } },
    ],
    [
      'drops hints without a counterpart',
      usual,
      { seed: 1, presence_penalty: 1, logit_bias: {}, verbosity: 'low' },
      {},
    ],
  ])('%s', (_name, modelName, request, members) => {
    expect(sent(request, modelName)).toEqual({ ...hi, ...members });
  });

  test('caps max tokens at the model’s maximum', () => {
    expect(sent({ max_tokens: 9_000 }, usual, 8_192).inferenceConfig).toEqual({ maxTokens: 8_192 });
    expect(sent({ max_tokens: 8_192 }, usual, 8_192).inferenceConfig).toEqual({ maxTokens: 8_192 });
  });
});
