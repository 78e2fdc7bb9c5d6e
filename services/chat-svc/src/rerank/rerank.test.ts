import { offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const principal = { accountId: 'acc_1', keyId: 'key_1' };
const model = 'sandbox-rerank';
const ranker = sharedModelEntry({
  id: model,
  aliases: [],
  outputModalities: ['rankings'],
  offers: sandboxProviders.map(({ id }) => offerOf(id, { modelName: model, pricing: { prompt: '0.001' } })),
});
const bySearch = sharedModelEntry({
  id: 'by-search',
  aliases: [],
  outputModalities: ['rankings'],
  offers: [offerOf('cohere', { modelName: 'rerank-v3.5', pricing: { search: '0.002' } })],
});

const own = sharedModelEntry({
  id: 'own',
  aliases: [],
  outputModalities: ['rankings'],
  offers: [offerOf('my-tei', { modelName: 'bge', pricing: {} })],
});
/** An operator's server of open models. */
const teiAt = (url: string) => ({
  id: 'my-tei',
  baseUrl: `${url}/tei`,
  keyVariable: 'MY_TEI',
  needsKey: false,
  quirks: { rerank: 'tei' as const },
});

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: (url) => ({
      version: '1',
      models: [ranker, bySearch, own, sharedModelEntry()],
      providers: [teiAt(url)],
    }),
    environment: ({ baseUrl }) => ({
      CACHE_TTL_SECONDS: '60',
      COHERE_API_KEY: 'key',
      COHERE_BASE_URL: baseUrl('cohere'),
    }),
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const documents = ['a red lighthouse', { text: 'sorted trains' }, 'trains are sorted here'];
const request = { model, query: 'where are trains sorted', documents };
/** The records of requests with this id; they arrive after the response. */
const recordsOf = (id: string) => bench.usage.filter(({ requestId }) => requestId === id);
const bodyOf = ({ text }: { text: string }) => JSON.parse(text);

test('answers in the forms of all clients, the best document first, and records tokens and cost', async () => {
  const answer = await bench.rerank({ ...request, top_n: 2 }, { principal, requestId: 'req_1' });
  const provider = answer.headers['x-tallyport-provider'];
  const results = [
    { index: 2, relevance_score: 0.75 },
    { index: 1, relevance_score: 0.5 },
  ];
  expect([answer.status, bodyOf(answer)]).toEqual([
    200,
    {
      id: 'rerank-req_1',
      object: 'list',
      model: `${provider}/${model}`,
      results,
      data: results,
      usage: { total_tokens: 32, cost: 0.032 },
      metadata: expect.objectContaining({ request_id: 'req_1', used_provider: provider, cached: false }),
    },
  ]);
  await expect
    .poll(() => recordsOf('req_1'))
    .toMatchObject([
      { operation: 'rerank', model, provider, tokens: { input: 32, output: 0 }, cost: '0.032', source: 'reported' },
    ]);
});

test('repeats documents in both forms if the request says so, and never asks the vendor for them', async () => {
  const answer = await bench.rerank({ ...request, top_k: 1, return_documents: true }, { principal });
  const { results, data } = bodyOf(answer);
  expect([results, data]).toEqual([
    [{ index: 2, relevance_score: 0.75, document: { text: 'trains are sorted here' } }],
    [{ index: 2, relevance_score: 0.75, document: 'trains are sorted here' }],
  ]);
  expect(bench.simulator.requests.map(({ body }) => JSON.parse(String(body)))).toEqual([
    {
      model,
      query: request.query,
      documents: ['a red lighthouse', 'sorted trains', 'trains are sorted here'],
      top_n: 1,
    },
  ]);
});

test('search units are the bill where they have a price', async () => {
  const many = Array.from({ length: 101 }, (_, at) => `document ${at}`);
  const answer = await bench.rerank(
    { ...request, model: 'by-search', documents: many },
    { principal, requestId: 'req_2' },
  );
  const { usage, meta } = bodyOf(answer);
  expect([usage, meta]).toEqual([
    { total_tokens: expect.any(Number), search_units: 2, cost: 0.004 },
    { billed_units: { search_units: 2 } },
  ]);
  await expect
    .poll(() => recordsOf('req_2'))
    .toMatchObject([
      { searchUnits: 2, tokens: { input: 0 }, cost: '0.004', costs: { searchUnits: '0.004' }, source: 'reported' },
    ]);
});

test("an operator's server ranks in its own format, and its tokens are estimated", async () => {
  const answer = await bench.rerank({ ...request, model: 'own', top_n: 2 }, { principal, requestId: 'req_tei' });
  const { results, usage } = bodyOf(answer);
  expect([results.map(({ index }: { index: number }) => index), usage]).toEqual([[2, 1], { total_tokens: 32 }]);
  await expect
    .poll(() => recordsOf('req_tei'))
    .toMatchObject([{ provider: 'my-tei', cost: null, source: 'estimated', flags: ['unpriced'] }]);
});

test('a budget holds the search units before a provider is called', async () => {
  const budgets = { key: { amount: '0.003', period: 'total' } } as const;
  const poor = (keyId: string) => ({ principal: { accountId: 'poor', keyId, budgets } });
  const asked = (count: number) => ({
    ...request,
    model: 'by-search',
    documents: Array.from({ length: count }, String),
  });
  expect((await bench.rerank(asked(101), poor('one'))).status).toBe(402);
  expect(bench.simulator.requests).toEqual([]);
  expect((await bench.rerank(asked(100), poor('two'))).status).toBe(200);
});

test('answers a repeated request from the cache, at no cost', async () => {
  const asked = { ...request, query: 'cached' };
  const first = await bench.rerank(asked, { principal, requestId: 'req_3' });
  const second = await bench.rerank({ ...asked, priority: 1 }, { principal, requestId: 'req_3' });
  const other = await bench.rerank({ ...asked, top_n: 1 }, { principal });
  expect([first, second, other].map(({ headers }) => headers['x-tallyport-cache'])).toEqual(['MISS', 'HIT', 'MISS']);
  expect(bodyOf(second)).toEqual({
    ...bodyOf(first),
    usage: { ...bodyOf(first).usage, cost: 0 },
    metadata: expect.objectContaining({ request_id: 'req_3', cached: true, routing: [] }),
  });
  const records = () => recordsOf('req_3').map(({ cached, cost }) => [cached, cost]);
  await expect.poll(records).toEqual([
    [false, expect.any(String)],
    [true, '0'],
  ]);
});

test('another account gets nothing from the cache', async () => {
  const asked = { ...request, query: 'of one account' };
  await bench.rerank(asked, { principal });
  const { headers } = await bench.rerank(asked, { principal: { accountId: 'acc_2', keyId: 'key_2' } });
  expect(headers['x-tallyport-cache']).toBe('MISS');
});

test.each(['status:503', 'status:429', 'cut:40', 'error-in-200', 'reset'])(
  'tries another provider after %s',
  async (fault) => {
    const [failing = ''] = bench.providers;
    bench.simulator.faults.set({ provider: failing, fault });
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await bench.rerank({ ...request, query: `${fault} ${count}` }, { principal });
      expect([status, headers['x-tallyport-provider'] === failing]).toEqual([200, false]);
    }
  },
);

test.each([
  [{ query: undefined }, 'invalid_parameters', 'query'],
  [{ query: '' }, 'invalid_parameters', 'query'],
  [{ query: ['x'] }, 'invalid_parameters', 'query'],
  [{ documents: undefined }, 'invalid_parameters', 'documents'],
  [{ documents: 'x' }, 'invalid_parameters', 'documents'],
  [{ documents: [] }, 'invalid_parameters', 'documents'],
  [{ documents: ['x', 1] }, 'invalid_parameters', 'documents[1]'],
  [{ documents: [{ text: 'x', id: 1 }] }, 'invalid_parameters', 'documents[0]'],
  [{ documents: [{ image: 'https://a.example/a.png' }] }, 'invalid_parameters', 'documents[0]'],
  [{ documents: Array.from({ length: 10_001 }, () => 'x') }, 'invalid_parameters', 'documents'],
  [{ top_n: 0 }, 'invalid_parameters', 'top_n'],
  [{ top_k: 1.5 }, 'invalid_parameters', 'top_k'],
  [{ top_n: 1, top_k: 1 }, 'invalid_parameters', 'top_k'],
  [{ return_documents: 'yes' }, 'invalid_parameters', 'return_documents'],
  [{ max_chunks_per_doc: 10 }, 'invalid_parameters', 'max_chunks_per_doc'],
  [{ priority: 1_000 }, 'invalid_parameters', 'priority'],
  [{ rank_fields: ['text'] }, 'invalid_parameters', undefined],
  [{ model: 'by-search', truncation: false }, 'unsupported_capability', 'truncation'],
  [{ model: 'sandbox-chat' }, 'unsupported_capability', 'model'],
])('refuses %o', async (changes, code, param) => {
  const { error } = await bench.rerank({ ...request, ...changes }, { principal });
  expect(error).toMatchObject({ status: 400, code, param });
  expect(bench.simulator.requests).toEqual([]);
});

test('refuses chats with a model that ranks', async () => {
  const chat = await bench.ask({ model, messages: [{ role: 'user', content: 'Hi' }] }, { principal });
  expect(chat.error?.message).toBe(`'${model}' makes rankings, not chats. Send it to POST /v1/rerank.`);
});

test('rules of an account see the query and the documents', async () => {
  const guardrails = [{ request: { patterns: [{ name: 'secret', pattern: 'S-\\d+', action: 'redact' as const }] } }];
  const asked = { ...request, query: 'S-1', documents: ['S-2', { text: 'S-3' }], return_documents: true };
  const answer = await bench.rerank(asked, { principal: { ...principal, guardrails } });
  expect([answer.status, answer.text.match(/S-\d/)]).toEqual([200, null]);
  expect(bench.simulator.requests.map(({ body }) => /S-\d/.test(String(body)))).toEqual([false]);
});

test('of an account that keeps content, the query and the documents are kept', async () => {
  await bench.rerank({ ...request, query: 'kept' }, { principal: { ...principal, contentLog: { maxBytes: 4_096 } } });
  const texts = ['kept', 'a red lighthouse', 'sorted trains', 'trains are sorted here'];
  await expect
    .poll(() => bench.contents.map(({ content }) => content.prompt.parts))
    .toEqual([texts.map((text) => ({ kind: 'text', text }))]);
});

test('counts durations and refusals', async () => {
  await bench.rerank({ ...request, query: 'counted' }, { principal });
  await bench.rerank({ ...request, documents: [] }, { principal });
  await expect.poll(() => bench.metrics()).toMatch(/gateway_rankings_refused_total\{.*invalid_parameters.*\} \d/);
  expect(await bench.metrics()).toMatch(/gateway_request_duration_seconds_count\{operation="rerank"/);
});
