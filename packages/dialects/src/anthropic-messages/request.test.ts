import type Anthropic from '@anthropic-ai/sdk';
import { GatewayError } from '@tallyport/contracts';
import { chatRequestSchema } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { growthOf, highestGrowth } from '../../../../tests/support/growth.ts';
import { messagesTokenCount } from './index.ts';
import { bodyOf, requestOf, translatedOf } from './testing/request.ts';

const chatOf = (members: object = {}) => translatedOf(bodyOf(members));

/** The hub request without what every request has. */
function membersOf(members: object): object {
  const { model: _model, messages: _messages, max_completion_tokens: _limit, ...rest } = chatOf(members);
  return rest;
}

function problemIn(body: unknown): GatewayError {
  try {
    translatedOf(body);
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error('The request was not refused.');
}

const tool = { name: 'f', description: 'Finds.', input_schema: { type: 'object', properties: {} } };
const cache_control = { type: 'ephemeral', ttl: '1h' };
const clearing = { edits: [{ type: 'clear_tool_uses_20250919' }, { type: 'clear_thinking_20251015' }] };

type Documented = keyof Anthropic.MessageCreateParams | keyof Anthropic.Beta.Messages.MessageCreateParams;

/** Every documented member: a value that is translated, with its translation; one that is ignored; or one that is refused. */
const documented: Record<Documented, readonly [object, object] | 'refused'> = {
  model: [{ model: 'm' }, {}],
  messages: [{ messages: [{ role: 'user', content: 'x' }] }, {}],
  max_tokens: [{ max_tokens: 1 }, {}],
  system: [{ system: 'Be brief.' }, {}],
  cache_control: [{ cache_control }, {}],
  stream: [{ stream: true }, { stream: true, stream_options: { include_usage: true } }],
  stop_sequences: [{ stop_sequences: ['a', 'b', 'c', 'd', 'e'] }, { stop: ['a', 'b', 'c', 'd', 'e'] }],
  metadata: [{ metadata: { user_id: 'someone' } }, { user: 'someone' }],
  service_tier: [{ service_tier: 'standard_only' }, { service_tier: 'default' }],
  thinking: [{ thinking: { type: 'disabled' } }, { reasoning: { effort: 'none' } }],
  output_config: [{ output_config: { effort: 'max' } }, { reasoning: { effort: 'max' } }],
  output_format: [
    { output_format: { type: 'json_schema', schema: { type: 'object' } } },
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
      },
    },
  ],
  tools: [{ tools: [] }, {}],
  tool_choice: [{ tool_choice: { type: 'any' } }, { tool_choice: 'required' }],
  betas: [{ betas: ['never-heard-of-2030-01-01'] }, {}],
  context_management: [{ context_management: clearing }, {}],
  diagnostics: [{ diagnostics: { previous_message_id: 'msg_1' } }, {}],
  speed: [{ speed: 'fast' }, { service_tier: 'fast' }],
  user_profile_id: [{ user_profile_id: 'u' }, {}],
  workspace_id: [{ workspace_id: 'w' }, {}],
  billing_policy: 'refused',
  compaction: 'refused',
  container: 'refused',
  fallback_credit_token: 'refused',
  fallbacks: 'refused',
  inference_geo: 'refused',
  mcp_servers: 'refused',
  thread: [{ thread: { type: 'create' } }, {}],
};

const entries = Object.entries(documented);
const translated = entries.filter((entry): entry is [string, readonly [object, object]] => entry[1] !== 'refused');
const refused = entries.filter(([, outcome]) => outcome === 'refused');

test.each(translated)('%s is translated, or changes nothing', (_name, [sent, expected]) => {
  expect(membersOf(sent)).toEqual(expected);
});

test.each(refused)('%s is refused by name, unless it says nothing', (name) => {
  expect(problemIn(bodyOf({ [name]: 'x' }))).toMatchObject({ code: 'unsupported_parameter', param: name });
  expect(membersOf({ [name]: null })).toEqual({});
  expect(membersOf({ [name]: [] })).toEqual({});
});

test('a request is one that the gateway takes', () => {
  const chat = chatOf({
    stream: true,
    system: [{ type: 'text', text: 'Be brief.', cache_control }],
    tools: [tool],
    tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    temperature: 0.5,
    top_p: 0.9,
    top_k: 5,
  });
  expect(chatRequestSchema.parse(chat)).toEqual(chat);
  expect(chat).toEqual({
    model: 'claude-opus-5',
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', cache_control }] },
      { role: 'user', content: 'Hi' },
    ],
    max_completion_tokens: 4_096,
    stream: true,
    stream_options: { include_usage: true },
    tools: [
      {
        type: 'function',
        function: { name: 'f', description: 'Finds.', parameters: { type: 'object', properties: {} } },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    parallel_tool_calls: false,
    reasoning: { max_tokens: 2_000 },
    temperature: 0.5,
    top_p: 0.9,
    top_k: 5,
  });
});

test('undocumented members do not fail a request', () => {
  expect(membersOf({ safeguards: { mode: 'auto' }, tags: ['a'], invented: true })).toEqual({});
});

test.each([
  [{ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }, { effort: 'low' }],
  [{ thinking: { type: 'adaptive', display: 'omitted' } }, { effort: 'high' }],
  [
    { thinking: { type: 'enabled', budget_tokens: 5_000 }, output_config: { effort: 'medium' } },
    { effort: 'medium', max_tokens: 5_000 },
  ],
  [{ thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, { effort: 'none' }],
])('thinking %j', (members, reasoning) => {
  expect(membersOf(members)).toEqual({ reasoning });
});

test.each([
  [{ type: 'auto' }, { tool_choice: 'auto' }],
  [
    { type: 'auto', disable_parallel_tool_use: true },
    { tool_choice: 'auto', parallel_tool_calls: false },
  ],
  [{ type: 'none' }, { tool_choice: 'none' }],
])('tool choice %j', (tool_choice, expected) => {
  expect(membersOf({ tool_choice })).toEqual(expected);
});

test('a tool keeps its mark for the cache and its strictness, and its examples are described', () => {
  const sent = {
    ...tool,
    type: 'custom',
    strict: true,
    input_examples: [{ q: 1 }],
    cache_control,
    defer_loading: true,
  };
  expect(membersOf({ tools: [sent] })).toEqual({
    tools: [
      {
        type: 'function',
        function: {
          name: 'f',
          description: 'Finds.\nExample input: {"q":1}',
          parameters: tool.input_schema,
          strict: true,
        },
        cache_control,
      },
    ],
  });
});

test('a long user id, as agents send it, fits into the 64 characters of other vendors', () => {
  const user_id = JSON.stringify({ device_id: 'd'.repeat(64), session_id: 's' });
  const user = chatOf({ metadata: { user_id } }).user ?? '';
  expect(user).toMatch(/^[\da-f]{64}$/);
  expect(chatOf({ metadata: { user_id: `${user_id}.` } }).user).not.toBe(user);
});

test('a mark of the whole request is one of its last message', () => {
  const { messages } = chatOf({ system: 'Long.', cache_control: { type: 'ephemeral', scope: 'global' } });
  expect(messages).toEqual([
    { role: 'system', content: 'Long.' },
    { role: 'user', content: 'Hi', cache_control: { type: 'ephemeral' } },
  ]);
});

test.each([
  ['nothing', undefined, undefined],
  ['no model', { max_tokens: 1, messages: [] }, 'model'],
  ['no messages', bodyOf({ messages: [] }), 'messages'],
  ['no limit', bodyOf({ max_tokens: undefined }), 'max_tokens'],
  ['a limit of 0', bodyOf({ max_tokens: 0 }), 'max_tokens'],
  ['a hot temperature', bodyOf({ temperature: 1.5 }), 'temperature'],
  ['an unknown role', bodyOf({ messages: [{ role: 'tool', content: '' }] }), 'messages[0].role'],
  ['too small a budget', bodyOf({ thinking: { type: 'enabled', budget_tokens: 5 } }), 'thinking.budget_tokens'],
  ['thinking between tools', bodyOf({ thinking: { type: 'between_tools' } }), 'thinking.type'],
  ['a budget of a task', bodyOf({ output_config: { task_budget: { total: 1 } } }), 'output_config.task_budget'],
  ['a typed tool', bodyOf({ tools: [tool, { type: 'bash_20250124', name: 'bash' }] }), 'tools[1].type'],
  ['a server tool', bodyOf({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }), 'tools[0].type'],
  ['a tool for code', bodyOf({ tools: [{ ...tool, allowed_callers: ['code_1'] }] }), 'tools[0].allowed_callers'],
  ['an unknown choice', bodyOf({ tool_choice: { type: 'some' } }), 'tool_choice.type'],
  [
    'a change of effort in the middle',
    bodyOf({ messages: [{ role: 'system', content: 'x', output_config: { effort: 'low' } }] }),
    'messages[0].output_config',
  ],
])('%s is refused where it is', (_what, body, param) => {
  expect(problemIn(body)).toMatchObject({ status: 400, param });
});

test('compaction is refused in the words on which agents leave it out', () => {
  const { message } = problemIn(bodyOf({ context_management: { edits: [{ type: 'compact_20260112' }] } }));
  expect(message).toContain('context_management: Extra inputs are not permitted');
});

test('tokens are counted of a request without a limit', () => {
  const { max_tokens: _limit, ...body } = bodyOf({ system: 'Long.' }) as { max_tokens: number };
  expect(messagesTokenCount.read(requestOf(body)).chat).toEqual({
    model: 'claude-opus-5',
    messages: [
      { role: 'system', content: 'Long.' },
      { role: 'user', content: 'Hi' },
    ],
  });
  expect(messagesTokenCount.read(requestOf({ ...body, max_tokens: 5, stream: true }))).not.toHaveProperty('stream');
});

test.each([
  ['user', (messages: unknown) => expect(chatOf({ messages }).messages).toHaveLength(1)],
  ['critic', (messages: unknown) => expect(problemIn(bodyOf({ messages })).param).toBe('messages[0].role')],
])('the time for turns of a %s grows with their number', (role, read) => {
  const content = Array.from({ length: 10 }, () => ({ type: 'text', text: 'x' }));
  const turns = (length: number) => Array.from({ length }, () => ({ role, content }));
  expect(growthOf(read, turns, 3_200)).toBeLessThanOrEqual(highestGrowth);
});
