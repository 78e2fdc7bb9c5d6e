import type { UsageRecord } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { untilPasses } from '../../../../tests/support/probe.ts';
import { callModel, callOffer, callProviders, formOf, pairsOfCalls } from '../testing/call-models.ts';
import { type AskOptions, type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const principal = { accountId: 'account', keyId: 'key' };
const [a, b, c] = callProviders;
const shared = callModel('embeddings-all', 'embeddings', [
  callOffer(a, 'sandbox-embedding', '0.003'),
  callOffer(b, 'sandbox-embedding', '0.001'),
  callOffer(c, 'sandbox-embedding', '0.002'),
]);

/** At a vendor with an API of its own, and dearer at one with OpenAI's. */
const chats = sharedModelEntry({
  id: 'chats',
  aliases: [],
  offers: [callOffer('anthropic', 'claude-haiku-4-5', '0.001'), callOffer(a, 'sandbox-chat', '0.01')],
});

let bench: ChatBench;
beforeAll(async () => {
  const catalogue = { version: '1', models: [...pairsOfCalls, shared, chats] };
  bench = await startChatBench({
    catalogue,
    environment: ({ baseUrl }) => ({
      CACHE_TTL_SECONDS: '60',
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: baseUrl('anthropic'),
    }),
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.splice(0);
});
afterAll(() => bench.close());

const fails = (provider = a, fault = 'status:500', times = 1) => bench.simulator.faults.set({ provider, fault, times });
/** The one record of the last request of a kind. */
async function recorded(kind: string): Promise<UsageRecord | undefined> {
  const own = () => bench.usage.filter(({ requestedModel }) => requestedModel === `${kind}-a`);
  await untilPasses(() => expect(own()).toHaveLength(1));
  return own()[0];
}

let sequence = 0;
const input = () => `Hi ${(sequence += 1)}`;
const embedding = (changes: object = {}) => ({
  input: input(),
  models: ['embeddings-a', 'embeddings-b'],
  dimensions: 2,
  ...changes,
});
const embed = (body: object, options: AskOptions = {}) => bench.embed(body, { principal, ...options });

const repeated = [
  ['models', 'transcriptions-a'],
  ['models', 'transcriptions-b'],
] as const;
const transcribe = (fields: readonly (readonly [string, string])[], options: AskOptions = {}) =>
  bench.transcribe(formOf(fields), { principal, ...options });

describe('the next model answers', () => {
  const listed = (kind: string) => ({ models: [`${kind}-a`, `${kind}-b`] });
  test.each<[string, string, () => ReturnType<ChatBench['embed']>]>([
    ['embeddings', 'embeddings', () => embed(embedding())],
    ['moderations', 'moderations', () => bench.moderate({ input: input(), ...listed('moderations') }, { principal })],
    ['speech', 'speech', () => bench.speak({ input: input(), voice: 'alloy', ...listed('speech') }, { principal })],
    ['a transcription with repeated fields', 'transcriptions', () => transcribe(repeated)],
    [
      'a transcription with the fields of SDKs',
      'transcriptions',
      () => transcribe(repeated.map(([name, value]) => [`${name}[]`, value] as const)),
    ],
    [
      'a translation with JSON',
      'transcriptions',
      () =>
        bench.transcribe(formOf([['models', JSON.stringify(['transcriptions-a', 'transcriptions-b'])]]), {
          principal,
          task: 'translate',
        }),
    ],
  ])('%s', async (_name, kind, ask) => {
    fails();
    const { status, headers } = await ask();
    expect([status, headers['x-tallyport-model'], headers['x-tallyport-attempts']]).toEqual([
      200,
      `${b}/${kind}-b`,
      '2',
    ]);
    const record = await recorded(kind);
    expect(record).toMatchObject({ requestedModel: `${kind}-a`, model: `${kind}-b`, provider: b, status: 200 });
    expect(record?.attempts.map(({ provider, model }) => [provider, model])).toEqual([
      [a, `${kind}-a`],
      [b, undefined],
    ]);
    const sent = bench.simulator.requests.map(({ body }) => String(body)).join();
    expect(sent).not.toMatch(/models|embeddings-a|transcriptions-a/);
  });

  test('of a header', async () => {
    fails();
    const headers = { 'x-fallback-models': 'transcriptions-b' };
    const { headers: answered } = await transcribe([['model', 'transcriptions-a']], { headers });
    expect(answered['x-tallyport-model']).toBe(`${b}/transcriptions-b`);
  });

  test("in Google's API", async () => {
    fails();
    const content = { parts: [{ text: input() }] };
    const options = { principal, path: 'embeddings-a:embedContent', headers: { 'x-fallback-models': 'embeddings-b' } };
    const answer = await bench.inApi('generateContent', { content, outputDimensionality: 2 }, options);
    expect([answer.status, answer.headers['x-tallyport-model']]).toEqual([200, `${b}/embeddings-b`]);
  });
});

test('embeddings name the model that answered, at its price, with the attempts of all', async () => {
  fails();
  const { text } = await embed(embedding({ input: 'one two' }), { requestId: 'req_price' });
  const { model, usage, metadata, data } = JSON.parse(text);
  expect([model, usage, data.length, data[0].embedding.length]).toEqual([
    `${b}/embeddings-b`,
    { prompt_tokens: 2, total_tokens: 2, cost: 0.02 },
    1,
    2,
  ]);
  expect(metadata).toMatchObject({
    requested_model: 'embeddings-b',
    used_model: 'embeddings-b',
    failover: `answered by ${b}/embeddings-b after ${a}/embeddings-a failed`,
    routing: [
      { model: 'embeddings-a', status_code: 500 },
      { model: 'embeddings-b', status_code: 200 },
    ],
  });
  const records = () => bench.usage.filter(({ requestId }) => requestId === 'req_price');
  await untilPasses(() => expect(records()).toMatchObject([{ model: 'embeddings-b', cost: '0.02' }]));
});

test('the answer of a model that stood in is not kept', async () => {
  fails();
  const body = embedding();
  const caches = [];
  for (let count = 0; count < 3; count += 1) {
    const { headers } = await embed(body);
    caches.push([headers['x-tallyport-model'], headers['x-tallyport-cache']]);
  }
  expect(caches).toEqual([
    [`${b}/embeddings-b`, 'MISS'],
    [`${a}/embeddings-a`, 'MISS'],
    [`${a}/embeddings-a`, 'HIT'],
  ]);
});

test('an Idempotency-Key gets the answer of the model that stood in again', async () => {
  fails();
  const options = { headers: { 'idempotency-key': 'stand-in', 'x-no-cache': 'true' } };
  const body = embedding();
  const first = await embed(body, options);
  expect((await embed(body, options)).text).toBe(first.text);
  expect(bench.simulator.requests).toHaveLength(2);
});

test('a budget must hold the dearest model', async () => {
  const budgets = { key: { amount: '0.005', period: 'total' } } as const;
  const poor = (keyId: string) => ({ principal: { accountId: 'poor', keyId, budgets } });
  expect((await embed(embedding({ input: 'one' }), poor('key-of-two'))).status).toBe(402);
  expect(bench.simulator.requests).toEqual([]);
  expect((await embed(embedding({ input: 'one', models: ['embeddings-a'] }), poor('key-of-one'))).status).toBe(200);
});

test('a key gets only the models that it may use', async () => {
  fails();
  const limited = { principal: { ...principal, allowedModels: ['embeddings-a'] } };
  const { error } = await embed(embedding(), limited);
  expect(error?.attempts).toMatchObject([{ provider: a }]);
});

test('a 400 of the vendor is not asked of another model', async () => {
  fails(a, 'status:400');
  expect((await embed(embedding())).status).toBe(400);
  expect(bench.simulator.requests).toHaveLength(1);
});

test('several models of embeddings need one length of vectors', async () => {
  const { error } = await embed(embedding({ dimensions: undefined }));
  expect([error?.status, error?.param]).toEqual([400, 'dimensions']);
  expect(error?.message).toContain('Several models need `dimensions`');
  const one = await embed(embedding({ dimensions: undefined, models: ['embeddings-a', 'embeddings-a'] }));
  expect(one.status).toBe(200);
});

describe('preferences', () => {
  const provider = async (body: object, options: AskOptions = {}) =>
    (await embed({ model: 'embeddings-all', input: input(), ...body }, options)).headers['x-tallyport-provider'];

  test('choose among the offers of embeddings', async () => {
    expect(await provider({ model: 'embeddings-all:floor' })).toBe(b);
    expect(await provider({ provider: { sort: 'price', ignore: [b] } })).toBe(c);
    const headers = { 'x-provider-preferences': JSON.stringify({ order: [c] }) };
    expect(await provider({}, { headers })).toBe(c);
  });

  test('choose the best model if they have no partition', async () => {
    const body = embedding({ models: ['embeddings-b', 'embeddings-a'] });
    expect((await embed(body)).headers['x-tallyport-model']).toBe(`${b}/embeddings-b`);
    const sorted = await embed({ ...body, provider: { sort: { by: 'price', partition: 'none' } } });
    expect(sorted.headers['x-tallyport-model']).toBe(`${a}/embeddings-a`);
  });

  test('hold for the fields of a form', async () => {
    const { error } = await transcribe([
      ['model', 'transcriptions-a'],
      ['provider', JSON.stringify({ only: [b] })],
    ]);
    expect([error?.status, error?.param, error?.message]).toEqual([
      400,
      'provider',
      `No offer of 'transcriptions-a' meets the preferences of the request: ${a} (provider.only).`,
    ]);
  });

  test('are refused with each offer and what excluded it', async () => {
    const asked = { max_price: { prompt: 0.5 }, only: [a, b] };
    const { error } = await embed({ model: 'embeddings-all', input: input(), provider: asked });
    expect(error?.message).toBe(
      "No offer of 'embeddings-all' meets the preferences of the request: " +
        `${a} (provider.max_price.prompt: 3000 > 0.5), ${b} (provider.max_price.prompt: 1000 > 0.5), ${c} (provider.only).`,
    );
  });

  test.each<[string, object, string]>([
    ['embeddings by speed', { sort: 'throughput' }, 'provider.sort'],
    ['embeddings by the price of an answer', { max_price: { completion: 1 } }, 'provider.max_price.completion'],
    ['a speed of embeddings', { preferred_min_throughput: 5 }, 'provider.preferred_min_throughput'],
    ['a latency of embeddings', { preferred_max_latency: 5 }, 'provider.preferred_max_latency'],
    ['a percentile', { preferred_max_latency: { p90: 5 } }, 'provider.preferred_max_latency'],
    ['a promise of privacy', { data_collection: 'deny' }, 'provider.data_collection'],
  ])('are refused by name: %s', async (_name, asked, param) => {
    const { error } = await embed(embedding({ provider: asked }));
    expect([error?.status, error?.param]).toEqual([400, param]);
  });

  test.each(['preferred_min_throughput', 'preferred_max_latency'])(
    'are refused with what to send instead of a percentile: %s',
    async (name) => {
      const { error } = await embed(embedding({ provider: { [name]: { p50: 5 } } }));
      expect([error?.status, error?.param, error?.message]).toEqual([
        400,
        `provider.${name}`,
        `The gateway cannot follow 'provider.${name}'. It measures means and no percentiles, so send one number.`,
      ]);
    },
  );

  test('of speech are refused by name where prices have different units', async () => {
    const body = { model: 'speech-a', input: input(), voice: 'alloy' };
    for (const changes of [{ model: 'speech-a:floor' }, { provider: { sort: 'price' } }]) {
      const { error } = await bench.speak({ ...body, ...changes }, { principal });
      expect([error?.status, error?.param]).toEqual([400, 'provider.sort']);
    }
    const { error } = await bench.speak({ ...body, provider: { max_price: { prompt: 1 } } }, { principal });
    expect([error?.status, error?.param]).toEqual([400, 'provider.max_price.prompt']);
    const sorted = await bench.speak({ ...body, provider: { sort: 'latency' } }, { principal });
    expect(sorted.status).toBe(200);
  });
});

describe('a chat that requires its parameters', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const provider = { require_parameters: true, sort: 'price' };
  const chat = (changes: object) => bench.ask({ model: 'chats', messages, provider, ...changes }, { principal });

  test('goes to an offer that gets all of them', async () => {
    expect((await chat({ seed: 1 })).headers['x-tallyport-provider']).toBe(a);
    expect((await chat({ temperature: 0.5 })).headers['x-tallyport-provider']).toBe('anthropic');
    expect((await chat({ seed: 1, provider: { sort: 'price' } })).headers['x-tallyport-provider']).toBe('anthropic');
  });

  test('is refused with the member that an offer would not get', async () => {
    const { error } = await chat({ seed: 1, provider: { ...provider, only: ['anthropic'] } });
    expect([error?.param, error?.message]).toEqual([
      'provider',
      "No offer of 'chats' meets the preferences of the request: " +
        `anthropic (provider.require_parameters: seed), ${a} (provider.only).`,
    ]);
  });

  test('gets it where its own API is', async () => {
    const body = { model: 'chats', messages, max_tokens: 20, top_k: 5, provider: { ...provider, only: ['anthropic'] } };
    expect((await bench.inApi('messages', body, { principal })).status).toBe(200);
  });
});

describe('hostile lists', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `embeddings-${index}`);
  test.each<[string, unknown, number, string]>([
    ['six models', ['1', '2', '3', '4', '5', '6'], 400, 'models'],
    ['10,000 models', many, 400, 'models'],
    ['a text', 'embeddings-a', 400, 'models'],
    ['numbers', [1, 2], 400, 'models'],
    ['no names', [], 400, 'models'],
    ['unknown names', ['embeddings-x', 'embeddings-y'], 404, 'model'],
  ])('%s', async (_name, models, status, param) => {
    const { error } = await embed(embedding({ models }));
    expect([error?.status, error?.param]).toEqual([status, param]);
  });

  test.each<[string, [string, string][], string, status?: number]>([
    ['six fields', [1, 2, 3, 4, 5, 6].map((name) => ['models', String(name)]), 'models'],
    ['10,000 names in JSON', [['models', JSON.stringify(many)]], 'models'],
    ['broken JSON', [['models', '["transcriptions-a"']], 'models'],
    ['an object for a name', [['models', '{"a": 1}']], 'model', 404],
    ['numbers in JSON', [['models', '[1]']], 'models'],
    ['an empty name', [['models', '']], 'models'],
    [
      'preferences in parts',
      [
        ['model', 'transcriptions-a'],
        ['provider[sort]', 'price'],
      ],
      'provider[sort]',
    ],
    [
      'preferences twice',
      [
        ['provider', '{}'],
        ['provider', '{}'],
      ],
      'provider',
    ],
    [
      'preferences that are no JSON',
      [
        ['model', 'transcriptions-a'],
        ['provider', 'openai'],
      ],
      'provider',
    ],
    [
      'another field that begins so',
      [
        ['model', 'transcriptions-a'],
        ['modelsx', 'a'],
      ],
      'modelsx',
    ],
  ])('in a form: %s', async (_name, fields, param, status = 400) => {
    const { error } = await transcribe(fields);
    expect([error?.status, error?.param]).toEqual([status, param]);
  });
});

describe('the explanation', () => {
  const explain = async (path: string | undefined, body: object) => {
    const options = { principal, ...(path !== undefined && { query: `path=${path}` }) };
    const { text, error } = await bench.explain(body, options);
    return error ?? JSON.parse(text);
  };
  const turnsOf = (kind: string) => ({
    model: `${kind}-a`,
    turns: [`${kind}-a`, `${kind}-b`],
    candidates: [{ provider: a, model: `${kind}-a` }],
    stand_ins: [{ model: `${kind}-b`, candidates: [{ provider: b, model: `${kind}-b` }] }],
    passed_over: [],
  });

  test.each<[string, string | undefined, object]>([
    ['embeddings', undefined, embedding({ model: 'embeddings-a' })],
    ['embeddings', '/v1/embeddings', embedding()],
    ['moderations', '/v1/moderations', { input: 'Hi', models: ['moderations-a', 'moderations-b'] }],
    ['speech', '/v1/audio/speech', { input: 'Hi', voice: 'alloy', models: ['speech-a', 'speech-b'] }],
    [
      'transcriptions',
      '/v1/audio/transcriptions',
      { models: ['transcriptions-a', 'transcriptions-b'], response_format: 'json', language: 'en' },
    ],
    ['transcriptions', '/v1/audio/translations', { models: ['transcriptions-a', 'transcriptions-b'] }],
  ])('has the models of %s with the path %s', async (kind, path, body) => {
    expect(await explain(path, body)).toMatchObject(turnsOf(kind));
  });

  test('has the order of models without a partition', async () => {
    const body = embedding({
      models: ['embeddings-b', 'embeddings-a'],
      provider: { sort: { by: 'price', partition: 'none' } },
    });
    expect(await explain('/v1/embeddings', body)).toMatchObject({ turns: ['embeddings-a', 'embeddings-b'] });
  });

  test('refuses what the endpoint refuses', async () => {
    expect(await explain('/v1/embeddings', embedding({ dimensions: undefined }))).toMatchObject({
      param: 'dimensions',
    });
    expect(await explain('/v1/audio/speech', { model: 'speech-a', input: 'Hi' })).toMatchObject({ param: 'voice' });
    expect(await explain('/v1/audio/transcriptions', { model: 'transcriptions-a', x: 1 })).toMatchObject({
      param: 'x',
    });
    expect(await explain('/v1/elsewhere', { model: 'speech-a' })).toMatchObject({ param: 'path' });
  });
});
