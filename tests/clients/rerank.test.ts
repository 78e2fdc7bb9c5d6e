import { totalDollars } from '@tallyport/simulator';
import { CohereRerank } from '@langchain/cohere';
import { CohereClient, CohereClientV2 } from 'cohere-ai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { VoyageAIClient } from 'voyageai';
import { type Rig, startRig } from './rig.ts';

/** Tests the SDKs that rank documents against every vendor that does, through the whole gateway. */
let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    further: (url, key) => ({ VLLM_BASE_URL: `${url}/vllm/v1`, TOGETHER_API_KEY: key, UNKNOWN_MODELS: 'allow' }),
  });
});
afterEach(() => rig.simulator.reset());
afterAll(() => rig.stop());

const cohere = (token = rig.gateway.apiKey) =>
  new CohereClientV2({ environment: rig.gateway.baseUrl, token, maxRetries: 0 });
const voyage = () => new VoyageAIClient({ environment: `${rig.gateway.baseUrl}/v1`, apiKey: rig.gateway.apiKey });

const query = 'where are trains sorted';
const documents = ['a red lighthouse', 'sorted trains', 'trains are sorted here'];
const ranked = [
  { index: 2, score: 0.75 },
  { index: 1, score: 0.5 },
];
const sent = () => rig.simulator.requests.filter(({ path }) => /rerank/.test(path));

async function askPlainly(path: string, body: object) {
  const answer = await fetch(rig.gateway.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return JSON.parse(await answer.text());
}

describe.each([
  'aws-bedrock/rerank-v1',
  'aws-bedrock/rerank-v3.5',
  'azure/rerank-v4.0-pro',
  'cohere/rerank-v3.5',
  'cohere/rerank-v4.0-pro',
  'jina/jina-reranker-v3',
  'voyage/rerank-2.5',
])('%s', (model) => {
  test("ranks documents for Cohere's SDK and for Voyage's", async () => {
    const { results } = await cohere().rerank({ model, query, documents, topN: 2 });
    expect(results.map(({ index, relevanceScore: score }) => ({ index, score }))).toEqual(ranked);
    const { data, model: used } = await voyage().rerank({ model, query, documents, topK: 2, returnDocuments: true });
    expect(used).toBe(model);
    expect(data).toEqual([
      { index: 2, relevanceScore: 0.75, document: 'trains are sorted here' },
      { index: 1, relevanceScore: 0.5, document: 'sorted trains' },
    ]);
  });

  test('costs what the vendor bills', async () => {
    const many = Array.from({ length: 150 }, (_, at) => `document ${at} ${'long '.repeat(at * 30)}`);
    const { usage } = await askPlainly('/v1/rerank', { model, query, documents: many });
    const [received] = sent();
    const billed = received && totalDollars(rig.simulator.bill.itemsOf(received));
    expect(usage.cost).toBeGreaterThan(0);
    expect(usage.cost).toBeCloseTo(Number(billed), 12);
  });
});

test.each(['together/Salesforce/Llama-Rank-V1', 'vllm/BAAI/bge-reranker-v2-m3'])('%s ranks', async (model) => {
  const { results, usage } = await askPlainly('/v2/rerank', { model, query, documents, top_n: 2 });
  expect([results, usage.total_tokens]).toEqual([
    ranked.map(({ index, score }) => ({ index, relevance_score: score })),
    32,
  ]);
});

test("Cohere's older SDK and LangChain's CohereRerank work with each address", async () => {
  const model = 'cohere/rerank-v3.5';
  const client = new CohereClient({ environment: rig.gateway.baseUrl, token: rig.gateway.apiKey });
  const { results } = await client.rerank({ model, query, documents, topN: 1, returnDocuments: true });
  expect(results).toMatchObject([{ index: 2, relevanceScore: 0.75, document: { text: 'trains are sorted here' } }]);
  // It has the client of the previous major version, which differs only in its types.
  const langChain = Object.assign(new CohereRerank({ model, apiKey: 'none', topN: 2 }), { client });
  const found = documents.map((pageContent) => ({ pageContent, metadata: {} }));
  const compressed = await langChain.compressDocuments(found, query);
  expect(compressed.map(({ pageContent, metadata }) => [pageContent, metadata['relevanceScore']])).toEqual([
    ['trains are sorted here', 0.75],
    ['sorted trains', 0.5],
  ]);
  const plain = await askPlainly('/rerank', { model, query, documents: documents.map((text) => ({ text })), top_n: 2 });
  expect(plain.results).toEqual(ranked.map(({ index, score }) => ({ index, relevance_score: score })));
});

test('raises errors', async () => {
  const model = 'voyage/rerank-2.5';
  const failures = [
    cohere('sk-tp-none').rerank({ model, query, documents }),
    cohere().rerank({ model: 'no-such-model', query, documents }),
    cohere().rerank({ model: 'gpt-6-luna', query, documents }),
    cohere().rerank({ model, query, documents: [] }),
    cohere().rerank({ model, query, documents: Array.from({ length: 1_001 }, () => 'x') }),
    cohere().rerank({ model, query, documents, maxTokensPerDoc: 100 }),
  ];
  const errors = await Promise.all(failures.map((failure) => failure.catch((error: unknown) => error)));
  const refused = (status: number, error: object) => ({ statusCode: status, body: { error } });
  expect(errors).toMatchObject([
    refused(401, { code: 'invalid_api_key' }),
    refused(404, { code: 'model_not_found' }),
    refused(400, { code: 'unsupported_capability', param: 'model' }),
    refused(400, { code: 'invalid_parameters', param: 'documents' }),
    refused(400, { code: 'unsupported_capability', param: 'documents' }),
    refused(400, { code: 'unsupported_capability', param: 'max_tokens_per_doc' }),
  ]);
  expect(sent()).toEqual([]);
});

test.each([
  ['cohere/rerank-v3.5', 'status:429'],
  ['jina/jina-reranker-v3', 'status:400'],
  ['voyage/rerank-2.5', 'status:401'],
])('%s: the message of an error with %s is shown, and no document is in it', async (model, fault) => {
  rig.simulator.faults.set({ provider: model.split('/')[0] ?? '', fault });
  const { error } = await askPlainly('/v1/rerank', { model, query, documents });
  expect(error.message).toMatch(/\w{4}/);
  expect(JSON.stringify(error)).not.toMatch(/lighthouse|\{"detail|\[object/);
});
