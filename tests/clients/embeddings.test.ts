import { createOpenAI } from '@ai-sdk/openai';
import { GoogleGenAI } from '@google/genai';
import { OpenAIEmbeddings } from '@langchain/openai';
import { embedMany } from 'ai';
import { CohereClientV2 } from 'cohere-ai';
import OpenAI from 'openai';
import { totalDollars } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { VoyageAIClient } from 'voyageai';
import { type Rig, startRig } from './rig.ts';

/** Tests the embeddings of the OpenAI SDK against every vendor that has some, through the whole gateway. */
let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    further: (url, key) => ({
      VLLM_BASE_URL: `${url}/vllm/v1`,
      TOGETHER_API_KEY: key,
      UNKNOWN_MODELS: 'allow',
    }),
  });
});
afterEach(() => rig.simulator.reset());
afterAll(() => rig.stop());

const embeddings = (apiKey = rig.gateway.apiKey) =>
  new OpenAI({ baseURL: `${rig.gateway.baseUrl}/v1`, apiKey, maxRetries: 0 }).embeddings;

interface Embedder {
  model: string;
  /** The length of whole vectors. */
  whole: number;
  /** What the vendor lacks. */
  lacks?: readonly ('dimensions' | 'tokens')[];
  /** The inputs of one call; more take several. */
  atOnce?: number;
  /** A length that vectors can be cut to. */
  cut?: number;
  /** The values of `encoding_format` that reach the vendor. */
  encodings: readonly string[];
}

const embedders: readonly Embedder[] = [
  { model: 'alibaba/text-embedding-v4', whole: 1536, lacks: ['tokens'], atOnce: 10, encodings: ['none'] },
  {
    model: 'aws-bedrock/embed-english-v3.0',
    whole: 1024,
    lacks: ['dimensions', 'tokens'],
    atOnce: 96,
    encodings: ['none'],
  },
  { model: 'aws-bedrock/embed-v4.0', whole: 1536, lacks: ['tokens'], atOnce: 96, cut: 256, encodings: ['none'] },
  {
    model: 'aws-bedrock/titan-embed-text-v1',
    whole: 1536,
    lacks: ['dimensions', 'tokens'],
    atOnce: 1,
    encodings: ['none'],
  },
  {
    model: 'aws-bedrock/titan-embed-text-v2',
    whole: 1024,
    lacks: ['tokens'],
    atOnce: 1,
    cut: 256,
    encodings: ['none'],
  },
  { model: 'azure/text-embedding-3-large', whole: 3072, encodings: ['base64', 'float'] },
  { model: 'cohere/embed-english-v3.0', whole: 1024, lacks: ['dimensions', 'tokens'], atOnce: 96, encodings: ['none'] },
  { model: 'cohere/embed-v4.0', whole: 1536, lacks: ['tokens'], atOnce: 96, cut: 256, encodings: ['none'] },
  { model: 'jina/jina-embeddings-v3', whole: 1024, lacks: ['tokens'], atOnce: 512, encodings: ['none'] },
  { model: 'voyage/voyage-4', whole: 1024, lacks: ['tokens'], atOnce: 1_000, cut: 256, encodings: ['none'] },
  { model: 'fireworks/nomic-embed-text-v1.5', whole: 1536, lacks: ['tokens'], encodings: ['none'] },
  { model: 'google/gemini-embedding-001', whole: 3072, lacks: ['tokens'], atOnce: 100, encodings: ['none'] },
  { model: 'google-vertex/gemini-embedding-001', whole: 3072, lacks: ['tokens'], atOnce: 1, encodings: ['none'] },
  { model: 'google-vertex/gemini-embedding-2', whole: 3072, lacks: ['tokens'], atOnce: 1, encodings: ['none'] },
  { model: 'google-vertex/text-embedding-005', whole: 768, lacks: ['tokens'], atOnce: 250, encodings: ['none'] },
  { model: 'mistral/codestral-embed', whole: 1536, lacks: ['tokens'], atOnce: 32, encodings: ['base64', 'float'] },
  { model: 'mistral/mistral-embed', whole: 1536, lacks: ['dimensions', 'tokens'], encodings: ['base64', 'float'] },
  { model: 'openai/text-embedding-3-small', whole: 1536, encodings: ['base64', 'float'] },
  { model: 'openai/text-embedding-ada-002', whole: 1536, lacks: ['dimensions'], encodings: ['base64', 'float'] },
  // The catalogue lists none of these.
  { model: 'ollama/nomic-embed-text:v1.5', whole: 1536, lacks: ['tokens'], encodings: ['base64', 'float'] },
  { model: 'together/BAAI/bge-large-en-v1.5', whole: 1024, lacks: ['dimensions', 'tokens'], encodings: ['none'] },
  { model: 'vllm/BAAI/bge-m3', whole: 1024, encodings: ['base64', 'float'] },
];

/** The requests for embeddings that vendors received, without those for model lists. */
const received = () => rig.simulator.requests.filter(({ path }) => !path.endsWith('/models'));
const sent = () => received().map(({ body }) => JSON.parse(String(body)));
const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);

describe.each(embedders)('$model', ({ model, whole, lacks = [], atOnce, cut = 128, encodings }) => {
  test('returns the same vectors in base64, the default, and as numbers', async () => {
    const byDefault = await embeddings().create({ model, input: ['first text', 'second'] });
    const numbers = await embeddings().create({ model, input: ['first text', 'second'], encoding_format: 'float' });
    expect(byDefault).toMatchObject({ object: 'list', model, usage: { prompt_tokens: 5, total_tokens: 5 } });
    expect(byDefault.data.map(({ object, index, embedding }) => [object, index, embedding.length])).toEqual([
      ['embedding', 0, whole],
      ['embedding', 1, whole],
    ]);
    expect(numbers.data).toEqual(byDefault.data);
    expect(byDefault.data[0]?.embedding).not.toEqual(byDefault.data[1]?.embedding);
    const formats = [...new Set(sent().map(({ encoding_format: format = 'none' }) => format))];
    expect(formats).toEqual(encodings);
  });

  test.runIf(!lacks.includes('dimensions'))('cuts vectors and keeps their length at 1', async () => {
    const { data } = await embeddings().create({ model, input: 'text', dimensions: cut });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([cut]);
    expect(lengthOf(data[0]?.embedding ?? [])).toBeCloseTo(1, 4);
  });

  test.runIf(lacks.includes('dimensions'))('refuses to cut vectors', async () => {
    await expect(embeddings().create({ model, input: 'text', dimensions: 128 })).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_capability',
      param: 'dimensions',
    });
    expect(sent()).toEqual([]);
  });

  test.runIf(!lacks.includes('tokens'))('accepts the tokens of one text, and of several', async () => {
    const one = await embeddings().create({ model, input: [1, 2, 3] });
    const several = await embeddings().create({ model, input: [[1, 2, 3], [4]] });
    expect([one.usage.prompt_tokens, several.usage.prompt_tokens]).toEqual([3, 4]);
    expect(several.data[0]?.embedding).toEqual(one.data[0]?.embedding);
  });

  test.runIf(lacks.includes('tokens'))('refuses tokens', async () => {
    await expect(embeddings().create({ model, input: [[1, 2, 3]] })).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_capability',
      param: 'input',
    });
  });

  test.runIf(atOnce !== undefined)('splits a request and joins it in order', async () => {
    const most = atOnce ?? 0;
    const input = Array.from({ length: 2 * most + 1 }, (_, at) => `text ${at}`);
    const { data, usage } = await embeddings().create({ model, input });
    expect(received()).toHaveLength(3);
    expect(data.map(({ index }) => index)).toEqual(input.map((_, at) => at));
    expect(usage.prompt_tokens).toBe(input.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0));
    const last = await embeddings().create({ model, input: input.slice(-1) });
    expect(data.at(-1)?.embedding).toEqual(last.data[0]?.embedding);
  });
});

async function ask(body: object) {
  const answer = await fetch(`${rig.gateway.baseUrl}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return JSON.parse(await answer.text());
}

const forms = [
  ['int8', 1, -127, 127],
  ['binary', 1 / 8, -128, 127],
  ['ubinary', 1 / 8, 0, 255],
] as const;

describe.each([
  ['aws-bedrock/embed-v4.0', forms],
  ['cohere/embed-v4.0', forms],
  ['jina/jina-embeddings-v3', forms.slice(1)],
  ['mistral/codestral-embed', forms],
  ['voyage/voyage-4', forms],
])('%s', (model, made) => {
  test.each(made)('makes vectors of %s', async (type, share, least, most) => {
    const { data: floats } = await embeddings().create({ model, input: ['first text', 'second'] });
    const { data } = await ask({ model, input: ['first text', 'second'], output_dtype: type });
    const whole = floats[0]?.embedding.length ?? 0;
    const vectors: number[][] = data.map(({ embedding }: { embedding: number[] }) => embedding);
    expect(vectors.map((vector) => vector.length)).toEqual([whole * share, whole * share]);
    const isSmall = (number: number) => Number.isInteger(number) && number >= least && number <= most;
    expect(vectors.flat().filter((number) => !isSmall(number))).toEqual([]);
    expect(vectors[0]).not.toEqual(vectors[1]);
  });

  test('never sends them in base64, which is read as floats', async () => {
    const { error } = await ask({ model, input: 'text', output_dtype: 'binary', encoding_format: 'base64' });
    expect(error).toMatchObject({ code: 'invalid_parameters', param: 'encoding_format' });
  });
});

test("Voyage's SDK embeds queries and documents", async () => {
  const client = new VoyageAIClient({ environment: `${rig.gateway.baseUrl}/v1`, apiKey: rig.gateway.apiKey });
  const model = 'voyage/voyage-4';
  const input = ['first text'];
  const { data = [], usage } = await client.embed({ model, input, inputType: 'query', outputDimension: 256 });
  expect([data.map(({ embedding }) => embedding?.length), usage?.totalTokens]).toEqual([[256], 3]);
  await client.embed({ model, input, inputType: 'document', truncation: true });
  expect(sent()).toMatchObject([
    { input_type: 'query', output_dimension: 256, truncation: false },
    { input_type: 'document', truncation: true },
  ]);
});

test.each(['cohere/embed-v4.0', 'voyage/voyage-4', 'jina/jina-embeddings-v3'])(
  "Cohere's SDK embeds with %s",
  async (model) => {
    const client = new CohereClientV2({ environment: rig.gateway.baseUrl, token: rig.gateway.apiKey, maxRetries: 0 });
    const texts = ['first text', 'second'];
    const asked = { model, texts, inputType: 'search_query', outputDimension: 256 } as const;
    const { embeddings: made, ...answer } = await client.embed({ ...asked, embeddingTypes: ['float'] });
    expect([answer.texts, made.float?.map(({ length }) => length)]).toEqual([texts, [256, 256]]);
    expect(answer.meta?.billedUnits?.inputTokens).toBeGreaterThan(0);
    await expect(client.embed({ ...asked, model: 'gpt-6-luna' })).rejects.toMatchObject({
      statusCode: 400,
      body: { error: { code: 'unsupported_capability', param: 'model' } },
    });
  },
);

test('parts of one document have other vectors than the same texts alone', async () => {
  const asked = { model: 'voyage/voyage-context-3', input: ['first text', 'second'] };
  const parts = await ask({ ...asked, input_type: 'document' });
  const queries = await ask({ ...asked, input_type: 'query' });
  expect([parts.data.length, queries.data.length]).toEqual([2, 2]);
  expect(parts.data[0].embedding).not.toEqual(queries.data[0].embedding);
  const [document, query] = sent().map(({ inputs }) => inputs);
  expect([document, query]).toEqual([[asked.input], [['first text'], ['second']]]);
});

test.each(['cohere/embed-v4.0', 'voyage/voyage-4', 'voyage/voyage-context-3'])(
  '%s costs what the vendor bills',
  async (model) => {
    const { usage } = await ask({ model, input: Array.from({ length: 100 }, (_, at) => `text ${at}`) });
    const lines = rig.simulator.requests.flatMap((received) => rig.simulator.bill.itemsOf(received));
    expect(usage.cost).toBeCloseTo(Number(totalDollars(lines)), 12);
    expect(usage.cost).toBeGreaterThan(0);
  },
);

test('raises errors', async () => {
  const model = 'openai/text-embedding-3-small';
  const failures = [
    embeddings('sk-tp-none').create({ model, input: 'Hello' }),
    embeddings().create({ model: 'no-such-model', input: 'Hello' }),
    embeddings().create({ model: 'gpt-6-luna', input: 'Hello' }),
    embeddings().create({ model, input: '' }),
    embeddings().create({ model, input: [] }),
    embeddings().create({ model, input: ['Hello', ''] }),
    embeddings().create({ model, input: ['Hello', 'x'.repeat(6 * 8192 + 1)] }),
    embeddings().create({ model, input: Array.from({ length: 2049 }, () => 'x') }),
  ];
  const errors = await Promise.all(failures.map((failure) => failure.catch((error: unknown) => error)));
  const invalid = (param: string) => ({ status: 400, code: 'invalid_parameters', param });
  expect(errors).toMatchObject([
    { status: 401, code: 'invalid_api_key' },
    { status: 404, code: 'model_not_found' },
    { status: 400, code: 'unsupported_capability', param: 'model' },
    invalid('input'),
    invalid('input'),
    invalid('input[1]'),
    { status: 400, code: 'context_length_exceeded', param: 'input[1]' },
    invalid('input'),
  ]);
  expect(received()).toEqual([]);
});

test("the AI SDK's embedMany and LangChain's OpenAIEmbeddings embed texts", async () => {
  const baseURL = `${rig.gateway.baseUrl}/v1`;
  const { apiKey } = rig.gateway;
  const values = ['first text', 'second'];
  const model = 'openai/text-embedding-3-small';
  const { data } = await embeddings().create({ model, input: values, encoding_format: 'float' });
  const vectors = data.map(({ embedding }) => embedding);
  const many = await embedMany({ model: createOpenAI({ baseURL, apiKey }).embedding(model), values });
  expect(many.embeddings).toEqual(vectors);
  expect(many.usage.tokens).toBe(5);
  const langChain = new OpenAIEmbeddings({ model, apiKey, configuration: { baseURL } });
  expect(await langChain.embedDocuments(values)).toEqual(vectors);
  expect(await langChain.embedQuery('second')).toEqual(vectors[1]);
});

describe('the Google Gen AI SDK', () => {
  const google = () =>
    new GoogleGenAI({
      apiKey: rig.gateway.apiKey,
      vertexai: false,
      httpOptions: { baseUrl: rig.gateway.baseUrl },
    }).models;

  test.each(['google/gemini-embedding-001', 'openai/text-embedding-3-small'])('embeds texts with %s', async (model) => {
    const { embeddings: vectors = [] } = await google().embedContent({ model, contents: ['first text', 'second'] });
    const { data } = await embeddings().create({ model, input: ['first text', 'second'], encoding_format: 'float' });
    expect(vectors.map(({ values }) => values)).toEqual(data.map(({ embedding }) => embedding));
  });

  test('says what the vectors are for', async () => {
    const asked = { model: 'google/gemini-embedding-001', contents: 'text' };
    const { embeddings: vectors = [] } = await google().embedContent({
      ...asked,
      config: { taskType: 'RETRIEVAL_QUERY', outputDimensionality: 256 },
    });
    expect(vectors.map(({ values = [] }) => values.length)).toEqual([256]);
    expect(sent()).toEqual([
      { requests: [expect.objectContaining({ taskType: 'RETRIEVAL_QUERY', outputDimensionality: 256 })] },
    ]);
  });

  test('gets the numbers of Google for shortened vectors, and the API of OpenAI vectors of length 1', async () => {
    const model = 'google/gemini-embedding-001';
    const config = { outputDimensionality: 256 };
    const { embeddings: [shortened] = [] } = await google().embedContent({ model, contents: 'text', config });
    const { embeddings: [whole] = [] } = await google().embedContent({ model, contents: 'text' });
    const { data } = await embeddings().create({ model, input: 'text', dimensions: 256, encoding_format: 'float' });
    expect(shortened?.values).toEqual(whole?.values?.slice(0, 256));
    const lengthOf = (vector: readonly number[] = []) => Math.hypot(...vector);
    expect(lengthOf(shortened?.values)).toBeLessThan(0.9);
    expect(lengthOf(data[0]?.embedding)).toBeCloseTo(1, 6);
  });

  test("raises errors in Google's form", async () => {
    const failure = (model: string) =>
      google()
        .embedContent({ model, contents: 'text' })
        .catch((error: unknown) => error);
    expect(await Promise.all([failure('no-such-model'), failure('openai/gpt-6-luna')])).toMatchObject([
      { name: 'ApiError', status: 404, message: expect.stringContaining('NOT_FOUND') },
      { name: 'ApiError', status: 400, message: expect.stringContaining('does not make embeddings') },
    ]);
  });
});
