import { parseChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { completionOf, readBody } from './testing/calls.ts';

const good = { model: 'm', input: 'Hi' };
const chatOf = (members: object) => readBody({ ...good, ...members }).chat;

const problem = (body: unknown) => {
  try {
    readBody(body);
    return undefined;
  } catch (error) {
    return error;
  }
};

test('a request with every member that a chat has', () => {
  const chat = chatOf({
    include: ['reasoning.encrypted_content', 'message.output_text.logprobs', 'web_search_call.results'],
    instructions: 'Be brief.',
    max_output_tokens: 100,
    max_tool_calls: 3,
    metadata: { k: 'v' },
    parallel_tool_calls: false,
    prompt_cache_key: 'key',
    prompt_cache_options: { mode: 'explicit', ttl: '30m' },
    prompt_cache_retention: '24h',
    reasoning: { effort: 'high', summary: 'auto', context: 'all_turns' },
    safety_identifier: 'safe',
    service_tier: 'flex',
    store: true,
    stream: true,
    stream_options: { include_obfuscation: true },
    temperature: 0,
    text: {
      format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true, description: 'd' },
      verbosity: 'low',
    },
    tool_choice: 'required',
    tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }],
    top_logprobs: 2,
    top_p: 0.5,
    truncation: 'disabled',
    user: 'u',
    client_metadata: { anything: 1 },
  });
  expect(parseChatRequest(chat)).toMatchObject({ ok: true });
  expect(chat).toEqual({
    model: 'm',
    messages: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ],
    logprobs: true,
    max_completion_tokens: 100,
    parallel_tool_calls: false,
    prompt_cache_key: 'key',
    prompt_cache_options: { mode: 'explicit', ttl: '30m' },
    prompt_cache_retention: '24h',
    reasoning_effort: 'high',
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'n', schema: { type: 'object' }, strict: true, description: 'd' },
    },
    safety_identifier: 'safe',
    service_tier: 'flex',
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    tool_choice: 'required',
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: false } }],
    top_logprobs: 2,
    top_p: 0.5,
    user: 'u',
    verbosity: 'low',
  });
});

test('null is the same as absent', () => {
  const names = [
    'background',
    'conversation',
    'include',
    'instructions',
    'moderation',
    'previous_response_id',
    'prompt',
  ];
  const others = [
    'reasoning',
    'store',
    'stream',
    'text',
    'tool_choice',
    'tools',
    'truncation',
    'temperature',
    'metadata',
  ];
  const nulls = Object.fromEntries([...names, ...others].map((name) => [name, null]));
  expect(chatOf(nulls)).toEqual({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
});

test('the last update in the history counts', () => {
  const chat = chatOf({
    reasoning: { effort: 'low' },
    input: [
      { type: 'configuration_update', reasoning: { effort: 'high' } },
      { role: 'user', content: 'Hi' },
      { type: 'configuration_update', text: { format: { type: 'text' } } },
    ],
  });
  expect(chat).toMatchObject({ reasoning_effort: 'high', response_format: { type: 'text' } });
  expect(chat.messages).toEqual([{ role: 'user', content: 'Hi' }]);
});

describe('the response repeats the request', () => {
  test('with the defaults of what it leaves out', () => {
    expect(readBody(good).answer(completionOf({ content: 'Hi' }))).toEqual({
      id: 'resp_00000000000000000000000000000001',
      object: 'response',
      created_at: 1_700_000_000,
      completed_at: 1_700_000_000,
      status: 'completed',
      error: null,
      incomplete_details: null,
      model: 'm',
      output: [
        {
          id: 'msg_00000000000000000000000000000001_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 15,
      },
      access_programs: null,
      background: false,
      conversation: null,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      metadata: {},
      parallel_tool_calls: true,
      previous_response_id: null,
      prompt: null,
      prompt_cache_key: null,
      prompt_cache_retention: null,
      reasoning: { effort: null, summary: null },
      safety_identifier: null,
      service_tier: 'auto',
      store: false,
      temperature: null,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_logprobs: 0,
      top_p: null,
      truncation: 'disabled',
      user: null,
    });
  });

  test('with what it says', () => {
    const said = {
      instructions: 'Be brief.',
      metadata: { k: 'v' },
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_object' }, verbosity: 'low' },
      tools: [{ type: 'web_search' }, { type: 'function', name: 'f', parameters: {}, strict: true }],
      tool_choice: { type: 'function', name: 'f' },
      temperature: 0.5,
      service_tier: 'priority',
    };
    const answer = readBody({ ...good, ...said, store: true }).answer(completionOf({ content: 'Hi' }));
    expect(answer).toMatchObject({ ...said, store: false });
  });

  test('counts are numbers where the provider gave no details', () => {
    const completion = {
      ...completionOf({}),
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: 4 },
    };
    expect(readBody(good).answer(completion)).toMatchObject({
      usage: {
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
        cost: 4,
      },
    });
  });
});

describe('what cannot be translated is refused by name', () => {
  test.each<[string, unknown]>([
    ['background', true],
    ['context_management', [{ type: 'compaction' }]],
    ['conversation', 'conv_1'],
    ['moderation', { model: 'm' }],
    ['prompt', { id: 'pmpt_1' }],
    ['truncation', 'auto'],
    ['max_tokens', 10],
    ['messages', []],
    ['n', 2],
    ['response_format', { type: 'text' }],
    ['stop', ['x']],
  ])('%s', (param, value) => {
    expect(problem({ ...good, [param]: value })).toMatchObject({
      code: 'unsupported_parameter',
      param,
      message: expect.stringContaining(`${param}: not supported: `),
    });
  });

  test.each<[string, object]>([
    ['image.context_compression', { image: { context_compression: 'enabled' } }],
    ['prompt_cache_options.comparison_response_id', { prompt_cache_options: { comparison_response_id: 'resp_1' } }],
    ['prompt_cache_options.prewarm', { prompt_cache_options: { prewarm: true } }],
    ['reasoning.mode', { reasoning: { mode: 'pro' } }],
  ])('%s', (param, members) => {
    expect(problem({ ...good, ...members })).toMatchObject({ param });
  });

  test('values that change nothing pass', () => {
    const harmless = { background: false, truncation: 'disabled', n: 1, reasoning: { mode: 'standard' } };
    expect(problem({ ...good, ...harmless, image: { context_compression: 'auto' } })).toBeUndefined();
  });
});

describe('what is wrong is named', () => {
  test.each<[string, unknown, string | undefined]>([
    ['no object', 'x', undefined],
    ['no model', { input: 'Hi' }, 'model'],
    ['no input', { model: 'm' }, 'input'],
    ['empty input', { model: 'm', input: [] }, 'input'],
    ['input of a wrong type', { ...good, input: 7 }, 'input'],
    ['a temperature over 2', { ...good, temperature: 3 }, 'temperature'],
    ['an empty id of a previous response', { ...good, previous_response_id: '' }, 'previous_response_id'],
    ['an unknown effort', { ...good, reasoning: { effort: 'huge' } }, 'reasoning.effort'],
    ['an unknown format', { ...good, text: { format: { type: 'xml' } } }, 'text.format.type'],
    ['metadata that is no text', { ...good, metadata: { a: 1 } }, 'metadata.a'],
    ['an unknown tool', { ...good, tools: [{ type: 'hammer' }] }, 'tools[0].type'],
    ['a bad choice', { ...good, tool_choice: 'sometimes' }, 'tool_choice'],
  ])('%s', (_name, body, param) => {
    expect(problem(body)).toMatchObject({ param, message: expect.any(String) });
  });
});
