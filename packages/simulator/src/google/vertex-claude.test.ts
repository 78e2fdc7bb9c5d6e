import { ask, dataOf } from '@tallyport/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'] });
});
afterAll(() => simulator.close());

const hello = {
  anthropic_version: 'vertex-2023-10-16',
  max_tokens: 300,
  messages: [{ role: 'user', content: 'Hello' }],
};

const post = (members: object, { method = 'rawPredict', headers = {} } = {}) =>
  ask({
    url: `${simulator.url}/vertex/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5%4020250929:${method}`,
    body: { ...hello, ...members },
    headers: { authorization: 'Bearer sim-key', ...headers },
  });

const named = { id: expect.stringMatching(/^msg_vrtx_/), model: 'claude-sonnet-4-5-20250929' };

test('a whole answer is a message of the model', async () => {
  const { status, text } = await post({});
  expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ type: 'message', ...named })]);
});

test('a stream has the events of the model', async () => {
  const { text } = await post({ stream: true }, { method: 'streamRawPredict' });
  const events = dataOf(text).map((line) => JSON.parse(line));
  expect(events[0]).toMatchObject({ type: 'message_start', message: named });
  expect(events.at(-1)).toEqual({ type: 'message_stop' });
});

test.each<[string, object, { method?: string; headers?: Record<string, string> }, string]>([
  ['no version', { anthropic_version: undefined }, {}, 'anthropic_version: Field required'],
  ['the model', { model: 'claude' }, {}, 'model: Extra inputs are not permitted'],
  ['a stream at the wrong method', { stream: true }, {}, 'stream: does not match the method'],
  ['MCP servers', { mcp_servers: [] }, {}, 'mcp_servers: Extra inputs are not permitted'],
  ['code execution', { tools: [{ type: 'code_execution_20250825' }] }, {}, "tools.0: Input tag 'code_execution"],
  [
    'unknown betas',
    {},
    { headers: { 'anthropic-beta': 'context-1m-2025-08-07, claude-code-20250219' } },
    'Unexpected value(s) `claude-code-20250219` for the `anthropic-beta` header.',
  ],
])('refuses %s', async (_name, members, asked, message) => {
  const { status, text } = await post(members, asked);
  expect([status, JSON.parse(text)]).toMatchObject([
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: expect.stringContaining(message) } },
  ]);
});

test('has its search of the web, and refuses a wrong token in the form of the cloud', async () => {
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
  const wrong = await post({}, { headers: { authorization: 'Bearer wrong' } });
  expect([(await post({ tools })).status, wrong.status, JSON.parse(wrong.text).error.status]).toEqual([
    200,
    401,
    'UNAUTHENTICATED',
  ]);
});
