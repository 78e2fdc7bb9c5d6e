import { ask, dataOf } from '@tallyport/sandbox/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'] });
});
afterAll(() => simulator.close());

const headers = { 'x-api-key': 'sim-key', 'anthropic-version': '2023-06-01' };
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const hello = { model: 'claude-sonnet-4-5', max_tokens: 300, messages: [user('Hello')] };
const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
const closed = { ...schema, additionalProperties: false };
const asked = (format: unknown) => ({ output_config: { format: { type: 'json_schema', schema: format } } });
const tools = ['one', 'two'].map((name) => ({ name, input_schema: schema }));

const post = (members: object, extra: Record<string, string> = {}) =>
  ask({
    url: `${simulator.url}/anthropic/v1/messages`,
    body: { ...hello, ...members },
    headers: { ...headers, ...extra },
  });

async function whole(members: object) {
  return JSON.parse((await post(members)).text);
}

interface Block {
  type: string;
  input?: unknown;
  [member: string]: unknown;
}

/** Folds the events as the format specifies. */
function folded(text: string) {
  let message: { content: Block[]; usage: object } = { content: [], usage: {} };
  const inputs: string[] = [];
  for (const data of dataOf(text).map((line) => JSON.parse(line))) {
    const block = message.content[data.index];
    switch (data.type) {
      case 'message_start':
        message = structuredClone(data.message);
        break;
      case 'content_block_start':
        message.content[data.index] = structuredClone(data.content_block);
        inputs[data.index] = '';
        break;
      case 'content_block_delta':
        fold(block, data.delta);
        inputs[data.index] += data.delta.partial_json ?? '';
        break;
      case 'content_block_stop':
        if (block?.type === 'tool_use') block.input = JSON.parse(inputs[data.index] || '{}');
        break;
      case 'message_delta':
        message = { ...message, ...data.delta, usage: { ...message.usage, ...data.usage } };
        break;
    }
  }
  return message;
}

function fold(block: Block | undefined, delta: Block): void {
  if (block === undefined) throw new Error('a delta of no block');
  for (const name of ['text', 'thinking', 'signature'])
    if (typeof delta[name] === 'string') block[name] = `${String(block[name])}${delta[name]}`;
  if (delta.type === 'citations_delta') block.citations = [block.citations ?? [], delta.citation].flat();
}

describe('answers', () => {
  test('have all members of the format', async () => {
    expect(await whole({})).toEqual({
      id: expect.stringMatching(/^msg_sim/),
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: expect.stringContaining('simulated answer from anthropic') }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 2,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: expect.any(Number),
        service_tier: 'standard',
      },
    });
  });

  test.each([
    ['text', {}],
    ['tools in parallel', { tools, messages: [user('in parallel')] }],
    ['text and a call', { tools, messages: [user('[text-and-call]')] }],
    ['a call without arguments', { tools, messages: [user('[no-arguments]')] }],
    ['thoughts', { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000 }],
    ['citations', { messages: [user('[citations]')] }],
    ['a refusal', { messages: [user('[refusal]')] }],
    ['a cut', { messages: [user('[length]')] }],
    ['a stop word', { stop_sequences: [' simulated'] }],
    ['cached tokens', { messages: [user('[cached] and some more words to count')] }],
    ['a schema', asked(closed)],
  ])('fold to the same from a stream: %s', async (_, members) => {
    const streamed = folded((await post({ ...members, stream: true })).text);
    expect(streamed).toEqual({ ...(await whole(members)), id: expect.stringMatching(/^msg_sim/) });
  });

  test('accept a call with its result and its thinking', async () => {
    const thinking = { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000, tools };
    const call = await whole({ ...thinking, messages: [user('What is q?')] });
    expect([call.stop_reason, call.content.map(({ type }: Block) => type)]).toEqual([
      'tool_use',
      ['thinking', 'tool_use'],
    ]);
    const result = { type: 'tool_result', tool_use_id: call.content[1].id, content: 'forty-two' };
    const messages = [user('What is q?'), assistant(call.content), user([result])];
    const last = await whole({ ...thinking, messages });
    expect(last.content.at(-1).text).toContain('The tool returned: forty-two');
    const forgotten = [messages[0], assistant(call.content.slice(1)), messages[2]];
    expect((await whole({ ...thinking, messages: forgotten })).error.message).toContain('Expected `thinking`');
    const forged = [{ ...call.content[0], thinking: 'something else' }, call.content[1]];
    const answer = await whole({ ...thinking, messages: [messages[0], assistant(forged), messages[2]] });
    expect(answer.error.message).toContain('Invalid `signature` in `thinking` block');
  });
});

const use = (id: string) => ({ type: 'tool_use', id, name: 'one', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
const text = (words: string) => ({ type: 'text', text: words });
const turn = (...messages: unknown[]) => ({ tools, messages: [user('go'), ...messages] });

describe('refuses', () => {
  test.each<[string, object, string]>([
    ['no max_tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['too many tokens', { max_tokens: 64_001 }, 'max_tokens: 64001 > 64000'],
    ['unknown members', { seed: 1 }, 'seed: Extra inputs are not permitted'],
    ['no messages', { messages: [] }, 'at least one message is required'],
    ['an assistant first', { messages: [assistant('x')] }, 'first message must use the "user" role'],
    ['a system message', { messages: [{ role: 'system', content: 'x' }] }, 'Unexpected role "system"'],
    ['empty content', { messages: [user('')] }, 'messages.0: all messages must have non-empty content'],
    ['empty text blocks', { messages: [user([text('')])] }, 'text content blocks must be non-empty'],
    ['blank text blocks', { messages: [user([text(' \n')])] }, 'must contain non-whitespace text'],
    [
      'split results',
      turn(assistant([use('a'), use('b')]), user([result('a')]), user([result('b')])),
      'ids were found without `tool_result` blocks immediately after: b.',
    ],
    ['text before results', turn(assistant([use('a')]), user([text('x'), result('a')])), 'immediately after: a.'],
    ['results without a call', turn(user([result('a')])), 'messages.1.content.0: unexpected `tool_use_id`'],
    [
      'cache_control within a result',
      turn(assistant([use('a')]), user([{ ...result('a'), content: [{ ...text('x'), cache_control: {} }] }])),
      'Instead, place it directly on `tool_result`',
    ],
    [
      'arguments as text',
      turn(assistant([{ ...use('a'), input: '{}' }])),
      'tool_use.input: Input should be a valid dictionary',
    ],
    [
      'calls without tools',
      { ...turn(assistant([use('a')]), user([result('a')])), tools: undefined },
      'must define tools',
    ],
    ['a choice without tools', { tool_choice: { type: 'auto' } }, 'tool_choice: may only be specified'],
    ['an unknown choice', { tools, tool_choice: { type: 'required' } }, "Input tag 'required'"],
    ['a tool without schema', { tools: [{ name: 'x' }] }, 'tools.0.custom.input_schema: Field required'],
    ['a tool whose schema is not an object', { tools: [{ name: 'x', input_schema: {} }] }, "Input should be 'object'"],
    ['temperature over 1', { temperature: 1.01 }, 'temperature: range: 0..1'],
    ['temperature and top_p', { temperature: 0.5, top_p: 0.5 }, 'cannot both be specified'],
    ['temperature on new models', { model: 'claude-opus-4-7', temperature: 0.5 }, '`temperature` is not supported'],
    [
      'a budget on new models',
      { model: 'claude-opus-5', thinking: { type: 'enabled', budget_tokens: 2000 } },
      'thinking.type.enabled',
    ],
    ['adaptive thinking on old models', { thinking: { type: 'adaptive' } }, 'thinking.type.adaptive'],
    [
      'a small budget',
      { max_tokens: 3000, thinking: { type: 'enabled', budget_tokens: 1023 } },
      'greater than or equal to 1024',
    ],
    [
      'a budget as large as max_tokens',
      { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
      'must be greater than',
    ],
    ['an unknown effort', { model: 'claude-opus-4-6', output_config: { effort: 'xhigh' } }, "effort level 'xhigh'"],
    [
      'disabled thinking at the highest effort',
      { model: 'claude-opus-5', thinking: { type: 'disabled' }, output_config: { effort: 'max' } },
      "may not be disabled with effort level 'max'",
    ],
    [
      'structured outputs on an older model',
      { model: 'claude-opus-4-20250514', max_tokens: 32_001 },
      'max_tokens: 32001 > 32000',
    ],
    [
      'an open object',
      asked(schema),
      "schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
    ],
    [
      'a bound',
      asked({ ...closed, properties: { q: { type: 'integer', minimum: 1 } } }),
      "For 'integer' type, property 'minimum' is not supported",
    ],
    [
      'minItems of 2',
      asked({ ...closed, properties: { q: { type: 'array', items: { type: 'string' }, minItems: 2 } } }),
      "'minItems' values other than 0 or 1",
    ],
    ['a value of any type', asked({ ...closed, properties: { q: {} } }), 'must have a type'],
    [
      'a recursive schema',
      asked({ ...closed, properties: { q: { $ref: '#/$defs/q' } }, $defs: { q: { anyOf: [{ $ref: '#/$defs/q' }] } } }),
      'recursive definitions',
    ],
    [
      'an open schema of a strict tool',
      { tools: [{ name: 'one', strict: true, input_schema: schema }] },
      "tools.0.custom: For 'object' type, 'additionalProperties' must be",
    ],
    [
      'strict tools on older models',
      { model: 'claude-opus-4-1', tools: [{ name: 'one', strict: true, input_schema: closed }] },
      'tools.0.custom.strict: Extra inputs are not permitted',
    ],
    [
      'alternatives at the top level of a tool’s schema',
      { tools: [{ name: 'one', input_schema: { ...schema, anyOf: [{ required: ['q'] }] } }] },
      'input_schema does not support oneOf, allOf, or anyOf at the top level',
    ],
    [
      'thinking with a forced tool',
      { model: 'claude-opus-4-8', tools, tool_choice: { type: 'any' }, thinking: { type: 'adaptive' } },
      'Thinking may not be enabled when tool_choice forces tool use.',
    ],
    [
      'a forced tool on models that always think',
      { model: 'claude-opus-5-5', tools, tool_choice: { type: 'any' } },
      'type "tool" and "any" are not supported for this model',
    ],
    [
      'disabled thinking on models that always think',
      { model: 'claude-fable-5-1', thinking: { type: 'disabled' } },
      '"thinking.type.disabled" is not supported for this model',
    ],
    [
      'a prefilled answer on new models',
      { model: 'claude-opus-4-6', messages: [user('x'), assistant('y')] },
      'does not support assistant message prefill',
    ],
    [
      'a prefilled answer with a schema',
      { ...asked(closed), messages: [user('x'), assistant('y')] },
      'output_config.format',
    ],
    [
      'an id used twice',
      turn(assistant([use('a')]), user([result('a')]), assistant([use('a')]), user([result('a')])),
      'messages.3.content.0: `tool_use` ids must be unique',
    ],
    ['a blank stop', { stop_sequences: [' '] }, 'must contain non-whitespace'],
    [
      'an image with an unknown media type',
      { messages: [user([{ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: 'AAAA' } }])] },
      'media_type: Input should be',
    ],
  ])('%s', async (_, members, message) => {
    const { status, text: body } = await post(members);
    expect([status, JSON.parse(body)]).toEqual([
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: expect.stringContaining(message) },
        request_id: expect.any(String),
      },
    ]);
  });

  test.each([
    ['a wrong key', { 'x-api-key': 'nobody' }, 401, 'authentication_error'],
    ['an unknown version', { 'anthropic-version': 'today' }, 400, 'invalid_request_error'],
  ])('%s', async (_, extra, status, type) => {
    const answer = await post({}, extra);
    expect([answer.status, JSON.parse(answer.text).error.type]).toEqual([status, type]);
  });

  test('refuses requests without a version, and unknown models', async () => {
    const url = `${simulator.url}/anthropic/v1/messages`;
    const bare = await ask({ url, body: hello, headers: { 'x-api-key': 'sim-key' } });
    expect(JSON.parse(bare.text).error.message).toBe('anthropic-version: header is required');
    const unknown = await post({ model: 'gpt-4o' });
    expect([unknown.status, JSON.parse(unknown.text).error]).toEqual([
      404,
      { type: 'not_found_error', message: 'model: gpt-4o' },
    ]);
  });
});

describe('faults', () => {
  const struck = (fault: string, stream = true) => post({ stream }, { 'x-sim-fault': fault });

  test('sends an error in the middle as an error event', async () => {
    const { text: body } = await struck('error-mid-stream:4');
    expect(body.split('\n\n').at(-2)).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    );
  });

  test('sends the reset time with a rate limit', async () => {
    const { status, headers: got, text: body } = await struck('status:429;retry-after=7');
    expect([status, got['retry-after'], JSON.parse(body).error.type]).toEqual([429, '7', 'rate_limit_error']);
    expect(Date.parse(String(got['anthropic-ratelimit-requests-reset']))).toBeGreaterThan(Date.now());
  });

  test('keeps the answer unchanged with pings, CRLF and single bytes', async () => {
    const good = folded((await post({ stream: true })).text);
    expect(folded((await struck('comments, crlf, byte-wise')).text)).toEqual(good);
  });

  test('removes usage everywhere', async () => {
    expect((await struck('no-usage')).text).not.toContain('usage');
    expect((await struck('no-usage', false)).text).not.toContain('usage');
  });
});

const system = { role: 'system', content: 'Be brief.' };
const latest = { 'anthropic-version': '2026-10-21' };

test.each<[string, object, Record<string, string>, number]>([
  ['an unknown member', { context_hints: 1 }, {}, 400],
  ['a member that a beta adds', { context_hints: 1 }, { 'anthropic-beta': 'other-1, context-hints-2' }, 200],
  ['the latest version', {}, latest, 200],
  ['a temperature in the latest version', { temperature: 1 }, latest, 400],
  ['instructions after a turn of the user', { model: 'claude-opus-4-8', messages: [user('Hi'), system] }, {}, 200],
  ['instructions twice', { model: 'claude-opus-4-8', messages: [user('Hi'), system, system] }, {}, 400],
  ['instructions at the start', { model: 'claude-opus-4-8', messages: [system, user('Hi')] }, {}, 400],
  ['instructions in between for an older model', { messages: [user('Hi'), system] }, {}, 400],
])('%s: %j with %j gets status %d', async (_name, members, extra, status) => {
  expect((await post(members, extra)).status).toBe(status);
});
