import { offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const principal = { accountId: 'acc_1', keyId: 'key_1' };
const model = 'sandbox-embedding';
const offers = sandboxProviders.map(({ id }) =>
  offerOf(id, { modelName: model, pricing: { prompt: '0.001' }, contextLength: 100 }),
);
const embedder = sharedModelEntry({ id: model, aliases: [], outputModalities: ['embeddings'], offers });

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models: [embedder, sharedModelEntry()] },
    environment: { CACHE_TTL_SECONDS: '60' },
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const request = { model, input: ['one', 'two words'], dimensions: 2, encoding_format: 'float' };
/** The records of requests with this id; they arrive after the response. */
const recordsOf = (id: string) => bench.usage.filter(({ requestId }) => requestId === id);
const bodyOf = ({ text }: { text: string }) => JSON.parse(text);

test('answers in the order of the inputs, with usage and cost, and records both', async () => {
  const { status, headers, text } = await bench.embed(request, { principal, requestId: 'req_1' });
  const provider = headers['x-tallyport-provider'];
  expect([status, JSON.parse(text)]).toEqual([
    200,
    {
      object: 'list',
      model: `${provider}/${model}`,
      usage: { prompt_tokens: 4, total_tokens: 4, cost: 0.004 },
      metadata: expect.objectContaining({ request_id: 'req_1', used_provider: provider, cached: false }),
      data: [0, 1].map((index) => ({
        object: 'embedding',
        index,
        embedding: [expect.any(Number), expect.any(Number)],
      })),
    },
  ]);
  expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  await expect
    .poll(() => recordsOf('req_1'))
    .toMatchObject([
      {
        operation: 'embeddings',
        model,
        provider,
        tokens: { input: 4, output: 0 },
        cost: '0.004',
        source: 'reported',
        endReason: 'done',
      },
    ]);
});

test('answers a repeated request from the cache, at no cost', async () => {
  const first = await bench.embed({ ...request, input: 'cached' }, { principal, requestId: 'req_2' });
  const second = await bench.embed({ ...request, input: 'cached', user: 'other' }, { principal, requestId: 'req_2' });
  expect([first, second].map(({ headers }) => headers['x-tallyport-cache'])).toEqual(['MISS', 'HIT']);
  const { data, usage, metadata } = bodyOf(second);
  expect(data).toEqual(bodyOf(first).data);
  expect(usage).toEqual({ prompt_tokens: 2, total_tokens: 2, cost: 0 });
  expect(metadata).toMatchObject({ request_id: 'req_2', cached: true, routing: [] });
  const records = () => recordsOf('req_2').map(({ cached, cost }) => [cached, cost]);
  await expect.poll(records).toEqual([
    [false, '0.002'],
    [true, '0'],
  ]);
});

test('keeps encodings and dimensions apart in the cache', async () => {
  const input = 'apart';
  const variants = [{}, { encoding_format: 'base64' }, { dimensions: 3 }];
  const answers = [];
  for (const variant of variants) answers.push(await bench.embed({ ...request, input, ...variant }, { principal }));
  expect(answers.map(({ headers }) => headers['x-tallyport-cache'])).toEqual(['MISS', 'MISS', 'MISS']);
  const [numbers, text, longer] = answers.map((answer) => bodyOf(answer).data[0].embedding);
  const bytes = Buffer.from(text, 'base64');
  expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual(numbers);
  expect(longer).toHaveLength(3);
});

test('returns the first response again for the same Idempotency-Key, and records it once', async () => {
  const options = { principal, requestId: 'req_3', headers: { 'idempotency-key': 'once', 'x-no-cache': 'true' } };
  const first = await bench.embed(request, options);
  const second = await bench.embed(request, options);
  expect(second.text).toBe(first.text);
  expect(second.headers['x-tallyport-idempotency']).toBe('replayed');
  await expect.poll(() => recordsOf('req_3').length).toBe(1);
  expect(bench.simulator.requests).toHaveLength(1);
});

test.each(['status:503', 'status:429', 'cut:40', 'error-in-200', 'reset'])(
  'tries another provider after %s',
  async (fault) => {
    const [failing = ''] = bench.providers;
    bench.simulator.faults.set({ provider: failing, fault });
    const input = `after ${fault}`;
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await bench.embed({ ...request, input: `${input} ${count}` }, { principal });
      expect([status, headers['x-tallyport-provider'] === failing]).toEqual([200, false]);
    }
  },
);

test.each([
  [{ input: undefined }, 'invalid_parameters', 'input'],
  [{ input: { text: 'x' } }, 'invalid_parameters', 'input'],
  [{ input: ['x', 1] }, 'invalid_parameters', 'input[1]'],
  [{ input: [1, 'x'] }, 'invalid_parameters', 'input'],
  [{ input: [[1], []] }, 'invalid_parameters', 'input[1]'],
  [{ input: [[1.5]] }, 'invalid_parameters', 'input[0]'],
  [{ input: Array.from({ length: 2_048 }, (_, at) => (at === 2_000 ? '' : 'x')) }, 'invalid_parameters', 'input[2000]'],
  [{ input: Array.from({ length: 2_049 }, () => 'x') }, 'invalid_parameters', 'input'],
  [{ input: Array.from({ length: 101 }, (_, at) => at) }, 'context_length_exceeded', 'input[0]'],
  [{ dimensions: 0 }, 'invalid_parameters', 'dimensions'],
  [{ encoding_format: 'int8' }, 'invalid_parameters', 'encoding_format'],
  [{ model: 'sandbox-chat' }, 'unsupported_capability', 'model'],
])('refuses %o', async (changes, code, param) => {
  const { error } = await bench.embed({ ...request, ...changes }, { principal });
  expect(error).toMatchObject({ status: 400, code, param });
  expect(bench.simulator.requests).toEqual([]);
});

test.each([[[1, 2]], [[[1, 2], [3]]]])(
  'embeds the tokens %j, but not of callers with rules for requests',
  async (input) => {
    const answerOnly = { ...principal, guardrails: [{ answer: { maxCharacters: 1 } }] };
    for (const caller of [principal, answerOnly]) {
      expect((await bench.embed({ ...request, input }, { principal: caller })).status).toBe(200);
    }
    bench.simulator.reset();
    const guarded = { ...principal, guardrails: [{ request: { maxCharacters: 1_000 } }] };
    const requestId = `req_tokens ${JSON.stringify(input)}`;
    const refusal = { status: 400, code: 'unsupported_capability', param: 'input' };
    const { error } = await bench.embed({ ...request, input }, { principal: guarded, requestId });
    expect(error).toMatchObject(refusal);
    expect((await bench.explain({ ...request, input }, { principal: guarded })).error).toMatchObject(refusal);
    expect(bench.simulator.requests).toEqual([]);
    await expect
      .poll(() => recordsOf(requestId))
      .toMatchObject([{ operation: 'embeddings', cost: '0', endReason: 'refused', error: 'unsupported_capability' }]);
  },
);

test('refuses unknown members by name', async () => {
  const { error } = await bench.embed({ ...request, late_chunking: true }, { principal });
  expect(error).toMatchObject({
    status: 400,
    code: 'invalid_parameters',
    message: expect.stringContaining('late_chunking'),
  });
});

test('names a few of many unknown members', async () => {
  const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`member${at}`, 0]));
  const { error } = await bench.embed({ ...request, ...many }, { principal });
  expect(error?.message).toBe(
    'the body: has the unknown members "member0", "member1", "member2", "member3", "member4" and 8995 more',
  );
});

test('refuses chats with an embedding model', async () => {
  const { error } = await bench.ask({ model, messages: [{ role: 'user', content: 'Hi' }] }, { principal });
  expect(error).toMatchObject({
    code: 'unsupported_capability',
    param: 'model',
    message: `'${model}' makes embeddings, not chats. Send it to POST /v1/embeddings.`,
  });
});

test('refuses models that the key may not use', async () => {
  const { error } = await bench.embed(request, { principal: { ...principal, allowedModels: ['sandbox-chat'] } });
  expect(error).toMatchObject({ status: 403, code: 'permission_denied' });
});

test('counts tokens, durations and refusals', async () => {
  await bench.embed({ ...request, input: 'counted' }, { principal });
  await bench.embed({ ...request, input: '' }, { principal });
  await expect.poll(() => bench.metrics()).toMatch(/gateway_embeddings_refused_total\{.*invalid_parameters.*\} \d/);
  const metrics = await bench.metrics();
  expect(metrics).toMatch(/gateway_request_duration_seconds_count\{operation="embeddings"/);
  expect(metrics).toMatch(/gateway_tokens_total\{.*model="sandbox-embedding",token_class="input_uncached"\}/);
});

test('limits on tokens hold at the limit and one beyond it', async () => {
  const ask = (accountId: string, account: number, sign = 'x') =>
    bench.embed(
      { ...request, input: sign.repeat(40) },
      {
        principal: { accountId, keyId: accountId, tokensPerMinute: { account } },
      },
    );
  const estimate = 10;
  const first = await ask('tokens', estimate);
  expect([first.status, first.headers['x-ratelimit-remaining-tokens']]).toEqual([200, '0']);
  const second = await ask('tokens', estimate, 'y');
  expect([second.status, bodyOf(second).error.code]).toEqual([429, 'rate_limit_exceeded']);
  expect((await ask('fewer', estimate - 1)).status).toBe(429);
  expect(bench.simulator.requests).toHaveLength(1);
});

test('a request that may cost more than the budget is refused before a provider is called', async () => {
  const ask = (amount: string) => {
    const budgets = { key: { amount, period: 'total' as const } };
    const options = { requestId: 'req_poor', principal: { accountId: 'poor', keyId: `poor ${amount}`, budgets } };
    // Ten tokens at a thousandth of a dollar each.
    return bench.embed({ ...request, input: 'z'.repeat(40) }, options);
  };
  const refused = await ask('0.009');
  expect([refused.status, bodyOf(refused).error.code]).toEqual([402, 'budget_exceeded']);
  expect(bench.simulator.requests).toEqual([]);
  expect((await ask('5')).status).toBe(200);
  await expect
    .poll(() => recordsOf('req_poor'))
    .toMatchObject([
      { operation: 'embeddings', cost: '0', endReason: 'refused', status: 402 },
      { operation: 'embeddings', cost: '0.01' },
    ]);
});

test('explain plans embeddings without calling a provider', async () => {
  const explained = await bench.explain(request);
  const plan = bodyOf(explained);
  expect([explained.status, plan.model, plan.candidates.length]).toEqual([200, model, 3]);
  const refused = await bench.explain({ ...request, input_type: 'search_query' });
  expect(refused.error).toMatchObject({ code: 'unsupported_capability', param: 'input_type' });
  expect(bench.simulator.requests).toEqual([]);
});

test.each(['search_documents', 7])('refuses %j as input_type', async (inputType) => {
  const { error } = await bench.embed({ ...request, input_type: inputType });
  expect(error).toMatchObject({ code: 'invalid_parameters', param: 'input_type' });
});
