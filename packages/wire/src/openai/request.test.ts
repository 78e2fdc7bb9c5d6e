import { describe, expect, test } from 'vitest';
import { firstIssue } from '../first-issue.ts';
import { chatRequestSchema, parseChatRequest } from './request.ts';

const user = { role: 'user', content: 'Hi' };
const good = { model: 'm', messages: [user] };

const problem = (value: unknown) => {
  const parsed = parseChatRequest(value);
  return parsed.ok ? undefined : parsed.problem;
};

const everything = {
  model: 'sandbox-chat',
  messages: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'system', content: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }], name: 's' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
        { type: 'file', file: { file_id: 'file-1' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      refusal: null,
      reasoning_content: 'hm',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } },
        { id: 'call_2', type: 'custom', custom: { name: 'c', input: 'x' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'done' },
    {
      role: 'assistant',
      content: [{ type: 'refusal', refusal: 'no' }],
      images: [{ type: 'image_url', image_url: { url: 'data:,' } }],
    },
    { role: 'function', name: 'old', content: null },
  ],
  audio: { format: 'wav', voice: 'alloy' },
  frequency_penalty: -2,
  presence_penalty: 2,
  function_call: 'auto',
  functions: [{ name: 'old' }],
  logit_bias: { '50256': -100 },
  logprobs: true,
  top_logprobs: 20,
  max_completion_tokens: 1,
  max_tokens: 1,
  metadata: { k: 'v' },
  modalities: ['text', 'image'],
  moderation: null,
  n: 128,
  parallel_tool_calls: false,
  prediction: { type: 'content', content: 'x' },
  prompt_cache_key: 'k',
  prompt_cache_options: { mode: 'explicit', ttl: '30m' },
  prompt_cache_retention: '24h',
  reasoning_effort: 'xhigh',
  response_format: { type: 'json_schema', json_schema: { name: 'n', strict: true, schema: { type: 'object' } } },
  safety_identifier: 'u',
  seed: -1,
  service_tier: 'flex',
  stop: ['a', 'b'],
  store: false,
  stream: true,
  stream_options: { include_usage: true, include_obfuscation: false },
  temperature: 0,
  tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [{ type: 'function' }] } },
  tools: [
    { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true } },
    { type: 'custom', custom: { name: 'c', format: { type: 'text' } } },
  ],
  top_p: 1,
  user: 'u',
  verbosity: 'low',
  web_search_options: {},
  image_config: { aspect_ratio: '1:1' },
  reasoning: { effort: 'low', max_tokens: 100 },
  top_k: 40,
  vendor: { anything: [1] },
};

describe('good requests', () => {
  test('keep every member, and the value itself is returned', () => {
    const parsed = parseChatRequest(everything);
    expect(parsed).toEqual({ ok: true, request: everything });
    expect(parsed.ok && parsed.request).toBe(everything);
  });

  test('may have null for an unset member', () => {
    const names = Object.keys(everything).filter((name) => name !== 'model' && name !== 'messages');
    expect(problem({ ...good, ...Object.fromEntries(names.map((name) => [name, null])) })).toBeUndefined();
  });

  test('may have ten thousand messages', () => {
    expect(problem({ ...good, messages: Array.from({ length: 10_000 }, () => user) })).toBeUndefined();
  });
});

describe('the error of a bad request names the member', () => {
  const message = (content: unknown) => ({ ...good, messages: [user, user, { role: 'user', content }] });

  test.each<[string, unknown, string | null]>([
    ['no object', 'x', null],
    ['null', null, null],
    ['an array', [], null],
    ['no model', { messages: [user] }, 'model'],
    ['an empty model', { ...good, model: '' }, 'model'],
    ['no messages', { model: 'm' }, 'messages'],
    ['empty messages', { ...good, messages: [] }, 'messages'],
    ['a message that is a text', { ...good, messages: ['x'] }, 'messages[0]'],
    ['no role', { ...good, messages: [{ content: 'x' }] }, 'messages[0].role'],
    ['an unknown role', { ...good, messages: [user, { role: 'robot', content: 'x' }] }, 'messages[1].role'],
    ['no content', { ...good, messages: [{ role: 'user' }] }, 'messages[0].content'],
    ['content of a wrong type', message(7), 'messages[2].content'],
    [
      'a part of an unknown type',
      message([{ type: 'text', text: 'x' }, { type: 'hologram' }]),
      'messages[2].content[1].type',
    ],
    ['a text part without text', message([{ type: 'text' }]), 'messages[2].content[0].text'],
    ['an image without url', message([{ type: 'image_url', image_url: {} }]), 'messages[2].content[0].image_url.url'],
    ['a tool message without id', { ...good, messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id'],
    ['temperature over 2', { ...good, temperature: 2.1 }, 'temperature'],
    ['temperature as text', { ...good, temperature: '1' }, 'temperature'],
    ['n of 0', { ...good, n: 0 }, 'n'],
    ['n of 129', { ...good, n: 129 }, 'n'],
    ['max_tokens with a fraction', { ...good, max_tokens: 1.5 }, 'max_tokens'],
    ['a tool without name', { ...good, tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name'],
    ['a tool of an unknown type', { ...good, tools: [{ type: 'x' }] }, 'tools[0].type'],
    [
      'parameters that are a list',
      { ...good, tools: [{ type: 'function', function: { name: 'f', parameters: [] } }] },
      'tools[0].function.parameters',
    ],
    ['a tool_choice of Gemini, misspelt', { ...good, tool_choice: 'VALIDATED' }, 'tool_choice'],
    ['a bad tool_choice', { ...good, tool_choice: 'sometimes' }, 'tool_choice'],
    [
      'a tool_choice without name',
      { ...good, tool_choice: { type: 'function', function: {} } },
      'tool_choice.function.name',
    ],
    ['a bad stop', { ...good, stop: [1] }, 'stop[0]'],
    ['a bad response format', { ...good, response_format: { type: 'xml' } }, 'response_format.type'],
    ['metadata that is no text', { ...good, metadata: { a: 1 } }, 'metadata.a'],
    ['stream as text', { ...good, stream: 'yes' }, 'stream'],
  ])('%s', (_name, value, param) => {
    expect(problem(value)?.param).toBe(param);
    expect(problem(value)?.message).toContain(param ?? 'the body');
  });

  test('and says what is expected', () => {
    expect(problem(message(7))?.message).toBe(
      'messages[2].content: must be a string or an array of content parts (text, image_url, input_audio, file)',
    );
    expect(problem({ ...good, messages: [{ role: 'robot' }] })?.message).toBe(
      'messages[0].role: must be one of system, developer, user, assistant, tool, function',
    );
  });
});

test('messages of nothing but text are judged as by the schema', () => {
  const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function', 'robot', 7, null, undefined];
  const contents = ['x', '', null, 7, [], [{ type: 'text', text: 'x' }], [{ type: 'robot' }], undefined];
  const further = [{}, { name: 'n' }, { name: 7 }, { tool_call_id: 'c' }, { refusal: 'no' }, { other: 1 }];
  for (const role of roles) {
    for (const content of contents) {
      for (const rest of further) {
        const request = { ...good, messages: [user, { role, content, ...rest }] };
        expect(parseChatRequest(request).ok).toBe(chatRequestSchema.safeParse(request).success);
      }
    }
  }
});

test('validation stops at the first issue', () => {
  const { error } = chatRequestSchema.safeParse({ ...good, messages: [0, 0, 0], tools: [0, 0, 0], n: 0 }, firstIssue);
  expect(error?.issues).toHaveLength(1);
});
