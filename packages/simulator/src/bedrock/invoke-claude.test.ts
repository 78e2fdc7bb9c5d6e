import { ask } from '@tallyport/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';
import { framesOf } from '../testing/frames.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'] });
});
afterAll(() => simulator.close());

const claude = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const hello = {
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 300,
  messages: [{ role: 'user', content: 'Hello, [cached] words' }],
};

const post = (members: object, { model = claude, method = 'invoke', key = 'sim-key' } = {}) =>
  ask({
    url: `${simulator.url}/bedrock/model/${encodeURIComponent(model)}/${method}`,
    body: { ...hello, ...members },
    headers: { authorization: `Bearer ${key}` },
  });

test('a whole answer is a message of the model', async () => {
  const { status, text } = await post({});
  expect([status, JSON.parse(text)]).toEqual([
    200,
    {
      id: expect.stringMatching(/^msg_bdrk_/),
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content: [{ type: 'text', text: expect.stringContaining('simulated answer from aws-bedrock') }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: expect.objectContaining({ cache_creation_input_tokens: expect.any(Number) }),
    },
  ]);
});

test('a stream has one event of the model in base64 per frame, and figures of the cloud in the last', async () => {
  const { headers, body } = await post({}, { method: 'invoke-with-response-stream' });
  expect(headers['content-type']).toBe('application/vnd.amazon.eventstream');
  const frames = framesOf(body);
  expect(new Set(frames.map((frame) => frame.headers[':event-type']))).toEqual(new Set(['chunk']));
  expect(frames.filter(({ payload }) => typeof payload.p !== 'string')).toEqual([]);
  const events = frames.map(({ payload }) => JSON.parse(Buffer.from(String(payload.bytes), 'base64').toString()));
  const types = events.map(({ type }) => type);
  expect([types[0], types.at(-2), types.includes('ping')]).toEqual(['message_start', 'message_delta', false]);
  expect(events.at(-1)).toEqual({
    type: 'message_stop',
    'amazon-bedrock-invocationMetrics': expect.objectContaining({
      outputTokenCount: events.at(-2).usage.output_tokens,
    }),
  });
});

const url = { type: 'url', url: 'https://images.test/a.png' };
const image = (source: object) => ({ messages: [{ role: 'user', content: [{ type: 'image', source }] }] });

test.each<[string, object, string]>([
  ['no version', { anthropic_version: undefined }, 'required key [anthropic_version] not found'],
  ["Anthropic's version", { anthropic_version: '2023-06-01' }, 'Invalid API version'],
  ['the model', { model: claude }, 'model: Extra inputs are not permitted'],
  ['stream', { stream: true }, 'stream: Extra inputs are not permitted'],
  ['unknown betas', { anthropic_beta: ['claude-code-20250219'] }, 'invalid beta flag'],
  ['unknown members', { tags: {} }, 'tags: Extra inputs are not permitted'],
  ['MCP servers', { mcp_servers: [] }, 'mcp_servers: Extra inputs are not permitted'],
  ['context management without its beta', { context_management: {} }, 'context_management: Extra inputs'],
  ['a search of the web', { tools: [{ type: 'web_search_20250305' }] }, "tools.0: Input tag 'web_search_20250305'"],
  ['URLs', image(url), "messages.0.content.0.image.source: Input tag 'url'"],
  ['what the model refuses', { thinking: { type: 'adaptive' } }, 'adaptive'],
])('refuses %s', async (_name, members, message) => {
  const { status, headers, text } = await post(members);
  expect([status, JSON.parse(text)]).toEqual([400, { message: expect.stringContaining(message) }]);
  expect(headers['x-amzn-errortype']).toMatch(/^ValidationException:/);
});

test('accepts its betas, and refuses a wrong key and a model without its profile', async () => {
  const betas = { anthropic_beta: ['context-management-2025-06-27'], context_management: { edits: [] } };
  const asked = [post(betas), post({}, { key: 'wrong' }), post({}, { model: 'anthropic.claude-sonnet-4-5' })];
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 403, 400]);
});
