import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SimulatedVendors, startSimulator } from '../index.ts';

let simulator: SimulatedVendors;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0 });
});
afterAll(() => simulator.close());

const model = 'claude-sonnet-4-6';

async function ask(members: object): Promise<{ usage: Record<string, unknown>; content: { type: string }[] }> {
  const response = await fetch(`${simulator.baseUrl('anthropic')}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model, max_tokens: 500, messages: [{ role: 'user', content: 'Hello.' }], ...members }),
  });
  const text = await response.text();
  if (!text.startsWith('event:')) return JSON.parse(text);
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
  const content = events.flatMap((event) => (event.type === 'content_block_start' ? [event.content_block] : []));
  const [first, last] = [events[0].message.usage, events.find(({ type }) => type === 'message_delta').usage];
  return { usage: { ...first, ...last }, content };
}

/** USD of the newest request, by class. */
const billed = (): Record<string, string | undefined> => {
  const received = simulator.requests.at(-1);
  const items = received === undefined ? [] : simulator.bill.itemsOf(received);
  return Object.fromEntries(items.map(({ of, count, dollars }) => [of, `${count} ${dollars}`]));
};

const cached = (name: string, ttl?: '1h') => ({
  system: [{ type: 'text', text: `${name} `.repeat(1_000).slice(0, 4_400), cache_control: { type: 'ephemeral', ttl } }],
});

test.each([false, true])('an hour’s cache is written once and read afterwards, stream: %s', async (stream) => {
  const request = { ...cached(`hour-${stream}`, '1h'), stream };
  const written = await ask(request);
  expect(written.usage).toMatchObject({
    cache_creation_input_tokens: 1_100,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1_100 },
    cache_read_input_tokens: 0,
  });
  expect(billed()).toMatchObject({ cache_write_1h: '1100 0.0066' });
  const read = await ask(request);
  expect(read.usage).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 1_100, input_tokens: 2 });
  expect(billed()).toMatchObject({ cache_read: '1100 0.00033', input: '2 0.000006' });
});

test('a longer prefix is read up to the older mark and written from there', async () => {
  const text = (content: string, more: object = {}) => ({ type: 'text', text: content.repeat(500), ...more });
  const mark = { cache_control: { type: 'ephemeral' } };
  await ask({ messages: [{ role: 'user', content: [text('first turn ', mark)] }] });
  const { usage } = await ask({
    messages: [{ role: 'user', content: [text('first turn '), text('next turn. ', mark)] }],
  });
  expect(usage).toMatchObject({
    cache_read_input_tokens: 1_375,
    cache_creation: { ephemeral_5m_input_tokens: 1_375, ephemeral_1h_input_tokens: 0 },
  });
});

test.each([
  ['one token short of', 1_023, 0],
  ['exactly', 1_024, 1_024],
])('a prefix of %s the least is cached or not', async (_what, tokens, expected) => {
  const system = [{ type: 'text', text: 'x'.repeat(tokens * 4), cache_control: { type: 'ephemeral' } }];
  expect((await ask({ system })).usage.cache_creation_input_tokens).toBe(expected);
});

test.each([false, true])('a compaction is billed besides the usage, stream: %s', async (stream) => {
  const { usage, content } = await ask({
    messages: [{ role: 'user', content: 'x'.repeat(4_000) }],
    context_management: { edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 1_000 } }] },
    stream,
  });
  expect(usage).toMatchObject({
    input_tokens: 1_100,
    iterations: [
      { type: 'compaction', input_tokens: 1_000, output_tokens: 100 },
      { type: 'message', input_tokens: 1_100 },
    ],
  });
  expect(content[0]).toMatchObject({ type: 'compaction' });
  expect(billed()).toMatchObject({
    compaction_input: '1000 0.003',
    compaction_output: '100 0.0015',
    input: '1100 0.0033',
  });
});

test('a shorter prompt is not compacted', async () => {
  const edits = [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 1_000 } }];
  const messages = [{ role: 'user', content: 'x'.repeat(3_996) }];
  expect((await ask({ messages, context_management: { edits } })).usage).not.toHaveProperty('iterations');
});

test('searches, fetches and advice are counted', async () => {
  const { usage } = await ask({
    messages: [{ role: 'user', content: '[searches:3]' }],
    tools: [
      { type: 'web_search_20260318', name: 'web_search' },
      { type: 'web_fetch_20260318', name: 'web_fetch' },
      { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5-5' },
    ],
  });
  expect(usage).toMatchObject({
    server_tool_use: { web_search_requests: 3, web_fetch_requests: 3 },
    iterations: [{ type: 'message' }, { type: 'advisor_message', model: 'claude-opus-5-5', input_tokens: 200 }],
  });
  expect(billed()).toMatchObject({
    web_search: '3 0.03',
    web_fetch: '3 0',
    advisor_input: '200 0.0008',
    advisor_output: '40 0.0008',
  });
});

test('tier, speed and place change the price of all tokens', async () => {
  const content = '[words:8]';
  const messages = [{ role: 'user', content }];
  expect((await ask({ messages })).usage).toMatchObject({ service_tier: 'standard' });
  expect(billed()).toMatchObject({ input: '3 0.000009' });
  const asked = { model: 'claude-opus-4-8', messages, speed: 'fast', inference_geo: 'us' };
  expect((await ask(asked)).usage).toMatchObject({ speed: 'fast', inference_geo: 'us' });
  expect(billed()).toMatchObject({ input: '3 0.000033' });
  expect((await ask({ messages: [{ role: 'user', content: '[tier:priority]' }] })).usage).toMatchObject({
    service_tier: 'priority',
  });
});

test('a class that no client knows is reported and billed', async () => {
  expect((await ask({ messages: [{ role: 'user', content: '[unknown-class]' }] })).usage).toMatchObject({
    future_tokens: 7,
  });
  expect(billed()).toMatchObject({ unknown: '7 0.00007' });
});
