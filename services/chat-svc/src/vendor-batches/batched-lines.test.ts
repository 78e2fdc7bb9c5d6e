import { batchedCallSchema, type LineOfBatch, type Principal } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilFound } from '../../../../tests/support/probe.ts';
import { type ChatBench, type ClientAnswer, startChatBench } from '../testing/chat-bench.ts';

const pricing = { prompt: '0.000002', completion: '0.00001' };
const principal: Principal = { accountId: 'account', keyId: 'key' };
const messages = [{ role: 'user', content: 'Hello there' }];

let bench: ChatBench;
let tests = 0;
beforeEach(() => {
  tests += 1;
});
/** Records of earlier tests may still arrive. */
const recordsOf = (line = 1) => bench.usage.filter(({ requestId }) => requestId === `batch_${tests}-${line}`);
const recorded = (line = 1) => untilFound(() => recordsOf(line)[0]);
const lineOf = ({ line = 1 }: Line) => ({ id: `batch_${tests}`, line, recordAt: '2026-11-28T12:00:00.000Z' });
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf('gpt', [offerOf('openai', { modelName: 'gpt-4o-mini', pricing, tiers: { batch: { factor: '0.25' } } })]),
      modelOf('claude', [offerOf('anthropic', { modelName: 'claude-opus-4-8', pricing })]),
      modelOf('gemini', [offerOf('google', { modelName: 'gemini-3.6-flash', pricing })]),
      modelOf('mistral', [offerOf('mistral', { modelName: 'mistral-small-2603', pricing })]),
      modelOf('grok', [offerOf('xai', { modelName: 'grok-4.3', pricing })]),
      modelOf('sandbox', [offerOf('sandbox-a', { modelName: 'sandbox-chat', pricing })]),
      modelOf('vectors', [offerOf('openai', { modelName: 'text-embedding-3-small', pricing })], {
        outputModalities: ['embeddings'],
      }),
      modelOf('mistral-vectors', [offerOf('mistral', { modelName: 'mistral-embed', pricing })], {
        outputModalities: ['embeddings'],
      }),
    ),
    environment: ({ baseUrl }: Simulator) => ({
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: baseUrl('openai'),
      GEMINI_API_KEY: 'key',
      GEMINI_BASE_URL: `${baseUrl('google')}/v1beta`,
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: baseUrl('anthropic'),
      MISTRAL_API_KEY: 'key',
      MISTRAL_BASE_URL: baseUrl('mistral'),
      XAI_API_KEY: 'key',
      XAI_BASE_URL: baseUrl('xai'),
    }),
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(() => bench.close());

type Api = 'complete' | 'messages' | 'responses' | 'embed';
interface Line {
  api?: Api;
  body: object;
  line?: number;
  principal?: Principal;
  headers?: Record<string, string>;
}

const ask = (
  { api = 'complete', body, principal: own = principal, headers = {} }: Line,
  batch: LineOfBatch,
  answer = '',
) => {
  const options = { principal: own, batch, headers, requestId: `${batch.id}-${batch.line}` };
  const sent = Buffer.from(JSON.stringify(body) + answer);
  if (api === 'complete') return bench.ask(sent, options);
  return api === 'embed' ? bench.embed(sent, options) : bench.inApi(api, sent, options);
};

/** The line as batch-svc first sends it. */
const defer = (line: Line) => ask(line, { ...lineOf(line), mayDefer: true });

/** The call of a line that was deferred, and the vendor's answer to it. */
async function deferred(line: Line) {
  const answer = await defer(line);
  expect(answer.status).toBe(202);
  const call = batchedCallSchema.parse(JSON.parse(answer.text));
  const vendor = await fetch(bench.simulator.url + pathsOf[call.providerId]?.(call.endpoint), {
    method: 'POST',
    headers: {
      'x-api-key': 'key',
      'x-goog-api-key': 'key',
      authorization: 'Bearer key',
      'anthropic-version': '2023-06-01',
    },
    body: call.body,
  });
  return { call, answer: await vendor.text() };
}

/** Where the simulated vendor answers what a batch names so. */
const pathsOf: Readonly<Record<string, (endpoint: string) => string>> = {
  anthropic: (endpoint) => `/anthropic/v1${endpoint}`,
  google: (endpoint) => `/google/v1beta${endpoint.replace(':batchGenerateContent', ':generateContent')}`,
  mistral: (endpoint) => `/mistral${endpoint}`,
  openai: (endpoint) => endpoint,
  xai: (endpoint) => `/xai${endpoint}`,
};

const settle = (line: Line, { call, answer }: Awaited<ReturnType<typeof deferred>>): Promise<ClientAnswer> => {
  const { providerId, model, key } = call;
  const answered = { providerId, model, key, bytes: Buffer.byteLength(answer) };
  return ask(line, { ...lineOf(line), answered }, answer);
};

const requests: readonly [string, Line, string][] = [
  ['a chat at OpenAI', { body: { model: 'gpt', messages } }, '0.25'],
  ['a chat at Anthropic', { body: { model: 'claude', messages } }, '0.5'],
  ['a chat at Google', { body: { model: 'gemini', messages } }, '0.5'],
  ['a message at Google', { api: 'messages', body: { model: 'gemini', max_tokens: 50, messages } }, '0.5'],
  ['a message at Anthropic', { api: 'messages', body: { model: 'claude', max_tokens: 50, messages } }, '0.5'],
  ['a message at OpenAI', { api: 'messages', body: { model: 'gpt', max_tokens: 50, messages } }, '0.25'],
  ['a response at OpenAI', { api: 'responses', body: { model: 'gpt', input: 'Hello', store: false } }, '0.25'],
  ['a chat at Mistral', { body: { model: 'mistral', messages } }, '0.5'],
  ['a response at Mistral', { api: 'responses', body: { model: 'mistral', input: 'Hello', store: false } }, '0.5'],
  ['embeddings at Mistral', { api: 'embed', body: { model: 'mistral-vectors', input: ['one', 'two'] } }, '0.5'],
  ['embeddings at OpenAI', { api: 'embed', body: { model: 'vectors', input: ['one', 'two'] } }, '0.5'],
];

describe.each(requests)('%s', (_name, line, factor) => {
  test('is left to a batch without a record, and then answered and paid as there', async () => {
    const answered = await deferred(line);
    const sent = bench.simulator.requests.length;
    const [settled, again] = [await settle(line, answered), await settle(line, answered)];
    expect(settled.status).toBe(200);
    expect(bench.simulator.requests.length).toBe(sent);
    const first = await recorded();
    expect(first).toMatchObject({ provider: answered.call.providerId, tier: 'batch', status: 200, flags: [] });
    const { input = 0, output = 0, reasoning = 0 } = first.tokens;
    const full = input * 0.000002 + (output + reasoning) * 0.00001;
    expect(Number(first.cost)).toBeCloseTo(full * Number(factor), 12);
    expect(Number(settled.headers['x-tallyport-saved'])).toBeCloseTo(full * (1 - Number(factor)), 12);
    expect(again.status).toBe(200);
    const live = await ask(line, lineOf({ ...line, line: 2 }));
    expect(membersOf(settled)).toEqual(membersOf(live));
    await recorded(2);
    // Deferred, settled and settled again: the journal has one record.
    expect(recordsOf().length).toBe(1);
  });
});

test('a chat at xAI costs what its answer says, which has the discount', async () => {
  const line: Line = { body: { model: 'grok', messages } };
  const answered = await deferred(line);
  expect(answered.call).toMatchObject({ providerId: 'xai', model: 'grok-4.3', endpoint: '/v1/chat/completions' });
  const half = {
    ...answered,
    answer: answered.answer.replace(/("cost_in_usd_ticks":)\d+/, (_all, name: string) => `${name}75250`),
  };
  const settled = await settle(line, half);
  expect(JSON.parse(settled.text)).toMatchObject({ usage: { cost: 0.000007525 } });
  expect(await recorded()).toMatchObject({
    provider: 'xai',
    tier: 'batch',
    status: 200,
    cost: '0.000007525',
    // The simulated xAI bills other prices than the catalogue of this test.
    flags: ['off_catalogue'],
  });
});

/** The shape of an answer: ids, times and costs differ. */
const membersOf = ({ text }: ClientAnswer): unknown => shapeOf(JSON.parse(text));
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

describe('is answered at once:', () => {
  test.each<[string, Line]>([
    ['a line whose vendor has no batches', { body: { model: 'sandbox', messages } }],
    ['a line that takes several calls', { body: { model: 'claude', messages, n: 2 } }],
    ['a line with a service tier of its own', { body: { model: 'gpt', messages, service_tier: 'flex' } }],
    ['a line with a service tier at Google', { body: { model: 'gemini', messages, service_tier: 'flex' } }],
    [
      'a message with a beta',
      {
        api: 'messages',
        body: { model: 'claude', max_tokens: 9, messages },
        headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'context-1m-2025-08-07' },
      },
    ],
  ])('%s', async (_name, line) => {
    expect((await defer(line)).status).toBe(200);
    expect((await recorded()).tier).not.toBe('batch');
  });
});

test('a line whose first offer fails is left to the batch of the next one', async () => {
  bench.simulator.faults.set({ provider: 'sandbox-a', fault: 'status:500' });
  const { call } = await deferred({ body: { models: ['sandbox', 'gpt'], messages } });
  expect(call).toMatchObject({ providerId: 'openai', model: 'gpt-4o-mini', endpoint: '/v1/chat/completions' });
});

test('a line that its Idempotency-Key protects is deferred and settled under it, once', async () => {
  const line = { body: { model: 'gpt', messages }, headers: { 'idempotency-key': 'line-1' }, line: 3 };
  const answered = await deferred(line);
  const settled = await settle(line, answered);
  expect(settled.status).toBe(200);
  expect((await settle(line, answered)).text).toBe(settled.text);
  expect((await recorded(3)).tier).toBe('batch');
});

test('a line that a vendor has answered is paid for, although its budget is spent', async () => {
  const budgets = { key: { amount: '0.000001', period: 'month' as const } };
  const poor = { ...principal, keyId: 'poor', budgets };
  const line = { body: { model: 'gpt', messages } };
  const answered = await deferred(line);
  expect((await defer({ ...line, line: 2, principal: poor })).status).toBe(402);
  expect((await settle({ ...line, principal: poor }, answered)).status).toBe(200);
  expect(Number((await recorded()).cost)).toBeGreaterThan(0);
});

test('an answer that cannot be read, or has less bytes than it says, is an error', async () => {
  const line = { body: { model: 'gpt', messages } };
  const { call } = await deferred(line);
  expect(await settle(line, { call, answer: 'no JSON' })).toMatchObject({ error: { code: 'upstream_error' } });
  const { providerId, model, key } = call;
  const answered = { providerId, model, key, bytes: 1_000_000 };
  const short = await ask(line, { ...lineOf(line), answered });
  expect(short.error?.code).toBe('internal_error');
});

test('an answer of a key or a model that is no longer there is an error', async () => {
  const line = { body: { model: 'gpt', messages } };
  const { call, answer } = await deferred(line);
  const gone = await settle(line, { call: { ...call, model: 'gone' }, answer });
  expect(gone).toMatchObject({ error: { code: 'upstream_error' } });
  const rotated = await settle(line, { call: { ...call, key: 'service-of-before' }, answer });
  expect(rotated.status).toBe(200);
});
