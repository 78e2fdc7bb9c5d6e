import { offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const model = 'by-type';
const maker = sharedModelEntry({
  id: model,
  aliases: [],
  outputModalities: ['embeddings'],
  offers: [offerOf('cohere', { modelName: 'embed-v4.0', pricing: { prompt: '0.001' } })],
});
const plain = sharedModelEntry({
  id: 'plain',
  aliases: [],
  outputModalities: ['embeddings'],
  offers: sandboxProviders.map(({ id }) => offerOf(id, { modelName: 'sandbox-embedding' })),
});

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models: [maker, plain] },
    environment: ({ baseUrl }) => ({
      CACHE_TTL_SECONDS: '60',
      COHERE_API_KEY: 'key',
      COHERE_BASE_URL: baseUrl('cohere'),
    }),
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const principal = { accountId: 'acc_1', keyId: 'key_1' };
const request = { model, input_type: 'search_query', texts: ['first "text"', 'second'], output_dimension: 256 };
const bodyOf = ({ text }: { text: string }) => JSON.parse(text);
const sent = () => bench.simulator.requests.map(({ body }) => JSON.parse(String(body)));

test("answers in Cohere's form with what `/v1/embeddings` answers, and records it", async () => {
  const answer = await bench.embedByType(request, { principal, requestId: 'req_1' });
  const { data, usage } = bodyOf(
    await bench.embed({ model, input: request.texts, input_type: 'search_query', dimensions: 256 }, { principal }),
  );
  expect([answer.status, bodyOf(answer)]).toEqual([
    200,
    {
      id: 'embed-req_1',
      response_type: 'embeddings_by_type',
      model: `cohere/${model}`,
      texts: request.texts,
      meta: { api_version: { version: '2' }, billed_units: { input_tokens: usage.prompt_tokens } },
      usage,
      metadata: expect.objectContaining({ request_id: 'req_1', cached: false }),
      embeddings: { float: data.map(({ embedding }: { embedding: number[] }) => embedding) },
    },
  ]);
  const records = () => bench.usage.filter(({ requestId }) => requestId === 'req_1');
  await expect.poll(records).toMatchObject([{ operation: 'embeddings', model, source: 'reported' }]);
});

test.each(['int8', 'uint8', 'binary', 'ubinary'])('vectors of %s are under their name', async (type) => {
  const { embeddings } = bodyOf(await bench.embedByType({ ...request, embedding_types: [type] }, { principal }));
  expect([Object.keys(embeddings), embeddings[type]?.length]).toEqual([[type], 2]);
  expect(sent()).toMatchObject([{ embedding_types: [type], truncate: 'NONE', input_type: 'search_query' }]);
});

test('inputs are texts too, and `END` shortens', async () => {
  const { texts: _texts, ...others } = request;
  const inputs = request.texts.map((text) => ({ content: [{ type: 'text', text }] }));
  const { texts } = bodyOf(await bench.embedByType({ ...others, inputs, truncate: 'END' }, { principal }));
  expect(texts).toEqual(request.texts);
  expect(sent()).toMatchObject([{ texts: request.texts, truncate: 'END' }]);
});

test('answers a repeated request from the cache, and no other form', async () => {
  const asked = { ...request, texts: ['cached'] };
  const first = await bench.embedByType(asked, { principal, requestId: 'req_2' });
  const second = await bench.embedByType(asked, { principal, requestId: 'req_2' });
  expect([first, second].map(({ headers }) => headers['x-tallyport-cache'])).toEqual(['MISS', 'HIT']);
  expect(bodyOf(second)).toEqual({
    ...bodyOf(first),
    usage: { ...bodyOf(first).usage, cost: 0 },
    metadata: expect.objectContaining({ cached: true }),
  });
  const { headers } = await bench.embedByType({ ...asked, embedding_types: ['int8'] }, { principal });
  const openAi = { model, input: ['cached'], input_type: 'search_query', dimensions: 256 };
  expect(
    [headers, (await bench.embed(openAi, { principal })).headers].map((each) => each['x-tallyport-cache']),
  ).toEqual(['MISS', 'MISS']);
});

test('a model that makes one kind of vector answers without a purpose', async () => {
  const { embeddings } = bodyOf(await bench.embedByType({ model: 'plain', texts: ['x'] }, { principal }));
  expect(embeddings.float).toHaveLength(1);
});

test('is explained by its address', async () => {
  const { status, text } = await bench.explain(request, { principal, query: 'path=/v2/embed' });
  expect([status, JSON.parse(text)]).toMatchObject([
    200,
    { requested_model: model, model, candidates: [{ provider: 'cohere' }] },
  ]);
  expect(sent()).toEqual([]);
});

test('96 texts are accepted', async () => {
  const texts = Array.from({ length: 96 }, (_, at) => `text ${at}`);
  expect((await bench.embedByType({ ...request, texts }, { principal })).status).toBe(200);
});

const { texts: _texts, ...without } = request;
test.each<[string, object, string | undefined]>([
  ['97 texts', { ...request, texts: Array.from({ length: 97 }, () => 'x') }, 'texts'],
  ['no text', without, 'texts'],
  ['texts and inputs', { ...request, inputs: [{ content: [{ type: 'text', text: 'x' }] }] }, 'texts'],
  ['an empty text', { ...request, texts: ['x', ''] }, 'texts[1]'],
  ['images', { ...request, images: ['data:image/png;base64,AAAA'] }, 'images'],
  ['two types', { ...request, embedding_types: ['float', 'int8'] }, 'embedding_types'],
  ['another type', { ...request, embedding_types: ['base64'] }, 'embedding_types[0]'],
  ['another purpose', { ...request, input_type: 'image' }, 'input_type'],
  ['a purpose of a model without', { ...request, model: 'plain', output_dimension: null }, 'input_type'],
  ['a cut at the start', { ...request, truncate: 'START' }, 'truncate'],
  ['an unknown member', { ...request, max_tokens: 5 }, undefined],
])('%s is refused', async (_name, body, param) => {
  const { status, error } = await bench.embedByType(body, { principal });
  expect([status, error?.param, sent()]).toEqual([400, param, []]);
});
