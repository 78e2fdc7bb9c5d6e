import { offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { chatProviders } from '../chat-providers.ts';
import { embeddingCalls } from './embedding-calls.ts';
import type { EmbeddingCall } from '../spec/embedding-call.ts';

const call: EmbeddingCall = { inputs: ['a', 'b'], encoding: 'base64', dimensions: 256, user: 'u' };

function formatOf(id: string) {
  const format = chatProviders.find((provider) => provider.id === id)?.embeddings;
  if (format === undefined) throw new Error(`${id} has no embeddings.`);
  return format;
}

const openAi = { model: 'm', input: ['a', 'b'], encoding_format: 'base64', dimensions: 256, user: 'u' };
const { user: _user, ...withoutUser } = openAi;
const { encoding_format: _format, ...numbers } = withoutUser;
const { dimensions: _dimensions, ...whole } = numbers;

test.each([
  ['alibaba', '/embeddings', numbers],
  ['azure', '/embeddings', openAi],
  ['fireworks', '/embeddings', numbers],
  [
    'google',
    '/models/m:batchEmbedContents',
    {
      requests: ['a', 'b'].map((text) => ({
        model: 'models/m',
        content: { parts: [{ text }] },
        outputDimensionality: 256,
      })),
    },
  ],
  ['mistral', '/embeddings', { ...whole, encoding_format: 'base64', output_dimension: 256 }],
  ['ollama', '/embeddings', withoutUser],
  ['openai', '/embeddings', openAi],
  ['together', '/embeddings', whole],
  ['vllm', '/embeddings', openAi],
])('sends the request of %s', (id, path, body) => {
  const request = formatOf(id).request(call, offerOf(id, { modelName: 'm' }));
  expect([request.path, JSON.parse(request.body)]).toEqual([path, body]);
});

test.each([
  [
    'aws-bedrock',
    'cohere.embed-v4:0',
    '/model/cohere.embed-v4%3A0/invoke',
    {
      texts: ['a', 'b'],
      input_type: 'search_query',
      truncate: 'NONE',
      embedding_types: ['float'],
      output_dimension: 256,
    },
  ],
  [
    'cohere',
    'embed-v4.0',
    '/v2/embed',
    {
      model: 'embed-v4.0',
      texts: ['a', 'b'],
      input_type: 'search_query',
      truncate: 'NONE',
      embedding_types: ['float'],
      output_dimension: 256,
    },
  ],
  [
    'jina',
    'jina-embeddings-v3',
    '/embeddings',
    { model: 'jina-embeddings-v3', input: ['a', 'b'], task: 'retrieval.query', dimensions: 256, truncate: false },
  ],
  [
    'voyage',
    'voyage-4',
    '/embeddings',
    { model: 'voyage-4', input: ['a', 'b'], input_type: 'query', output_dimension: 256, truncation: false },
  ],
  [
    'voyage',
    'voyage-context-3',
    '/contextualizedembeddings',
    { model: 'voyage-context-3', inputs: [['a'], ['b']], input_type: 'query', output_dimension: 256 },
  ],
  [
    'google-vertex',
    'text-embedding-005',
    '/publishers/google/models/text-embedding-005:predict',
    {
      instances: ['a', 'b'].map((content) => ({ content, task_type: 'RETRIEVAL_QUERY' })),
      parameters: { outputDimensionality: 256, autoTruncate: false },
    },
  ],
])('sends the request of %s for %s, with what the vectors are for', (id, modelName, path, body) => {
  const request = formatOf(id).request({ ...call, inputType: 'search_query' }, offerOf(id, { modelName }));
  expect([request.path, JSON.parse(request.body)]).toEqual([path, body]);
});

test.each([
  ['aws-bedrock', 'amazon.titan-embed-text-v2:0', { inputType: 'search_query' }, 'input_type'],
  ['aws-bedrock', 'amazon.titan-embed-text-v1', { dimensions: 256 }, 'dimensions'],
  ['aws-bedrock', 'cohere.embed-english-v3', { inputType: 'semantic_similarity' }, 'input_type'],
  ['aws-bedrock', 'cohere.embed-english-v3', { dimensions: 256 }, 'dimensions'],
  ['aws-bedrock', 'cohere.embed-english-v3', { inputType: 'clustering' }, undefined],
  ['google', 'gemini-embedding-001', { inputType: 'semantic_similarity' }, undefined],
  ['google-vertex', 'gemini-embedding-2', { inputType: 'search_query' }, 'input_type'],
  ['openai', 'text-embedding-3-small', { inputType: 'search_query' }, 'input_type'],
  ['aws-bedrock', 'cohere.embed-v4:0', { vectorType: 'int8', truncation: true }, undefined],
  ['aws-bedrock', 'amazon.titan-embed-text-v2:0', { vectorType: 'int8' }, 'output_dtype'],
  ['aws-bedrock', 'amazon.titan-embed-text-v2:0', { truncation: true }, 'truncation'],
  ['cohere', 'embed-english-v3.0', { dimensions: 256 }, 'dimensions'],
  ['cohere', 'embed-v4.0', { inputType: 'question_answering' }, 'input_type'],
  ['google', 'gemini-embedding-001', { vectorType: 'int8' }, 'output_dtype'],
  ['google', 'gemini-embedding-001', { truncation: true }, 'truncation'],
  ['jina', 'jina-embeddings-v3', { vectorType: 'binary', inputType: 'clustering', truncation: true }, undefined],
  ['jina', 'jina-embeddings-v3', { vectorType: 'int8' }, 'output_dtype'],
  ['mistral', 'codestral-embed', { vectorType: 'int8' }, undefined],
  ['mistral', 'mistral-embed', { vectorType: 'int8' }, 'output_dtype'],
  ['openai', 'text-embedding-3-small', { vectorType: 'int8' }, 'output_dtype'],
  ['openai', 'text-embedding-3-small', { truncation: true }, 'truncation'],
  ['voyage', 'voyage-4', { vectorType: 'ubinary', truncation: true }, undefined],
  ['voyage', 'voyage-law-2', { vectorType: 'int8' }, 'output_dtype'],
  ['voyage', 'voyage-4', { inputType: 'clustering' }, 'input_type'],
  ['voyage', 'voyage-context-3', { truncation: true }, 'truncation'],
] as const)('%s with %s and %o: unsupported is %s', (id, modelName, changes, member) => {
  const asked: EmbeddingCall = { inputs: ['a'], encoding: 'float', ...changes };
  expect(formatOf(id).unsupported(asked, offerOf(id, { modelName }))).toBe(member);
});

test.each([
  ['aws-bedrock', { embedding: 0, inputTextTokenCount: 3 }, {}, { vectors: [0], promptTokens: 3 }],
  ['aws-bedrock', { embeddings: [0] }, { 'x-amzn-bedrock-input-token-count': '4' }, { vectors: [0], promptTokens: 4 }],
  ['aws-bedrock', { embeddings: { float: [0] } }, {}, { vectors: [0] }],
  [
    'google-vertex',
    { predictions: [{ embeddings: { values: 0, statistics: { token_count: 5 } } }] },
    {},
    { vectors: [0], promptTokens: 5 },
  ],
  ['google-vertex', { predictions: [{ embeddings: { values: 0 } }] }, {}, { vectors: [0] }],
  [
    'google-vertex',
    { embedding: { values: 0 }, usageMetadata: { promptTokenCount: 6 } },
    {},
    { vectors: [0], promptTokens: 6 },
  ],
])('reads the answer of %s: %o', (id, body, headers, expected) => {
  expect(formatOf(id).response(body, { inputs: ['a'], encoding: 'float' }, headers)).toEqual(expected);
});

test('the inputs of a request are the parts of one document, which is not split', () => {
  const { request, limits } = formatOf('voyage');
  const offer = offerOf('voyage', { modelName: 'voyage-context-3' });
  const { inputs } = JSON.parse(request({ ...call, inputType: 'search_document' }, offer).body);
  expect([inputs, limits(offer)]).toEqual([[['a', 'b']], { inputs: Infinity, tokens: Infinity }]);
  const data = [
    {
      object: 'list',
      index: 0,
      data: [
        { embedding: 0, index: 0 },
        { embedding: 1, index: 1 },
      ],
    },
    { object: 'list', index: 1, data: [{ embedding: 2, index: 0 }] },
  ];
  const asked: EmbeddingCall = { inputs: ['a', 'b', 'c'], encoding: 'float' };
  expect(formatOf('voyage').response({ data, usage: { total_tokens: 3 } }, asked, {})).toEqual({
    vectors: [0, 1, 2],
    promptTokens: 3,
  });
  expect(() => formatOf('voyage').response({ data }, call, {})).toThrow('cannot be read');
});

test("reads Cohere's vectors of the wanted type", () => {
  const body = { embeddings: { int8: [0, 1] }, meta: { billed_units: { input_tokens: 7 } } };
  const asked: EmbeddingCall = { ...call, vectorType: 'int8' };
  expect(formatOf('cohere').response(body, asked, {})).toEqual({ vectors: [0, 1], promptTokens: 7 });
  expect(() => formatOf('cohere').response(body, call, {})).toThrow('cannot be read');
});

test('reads vectors by their index, and the tokens', () => {
  const data = [
    { index: 1, embedding: 7 },
    { index: 0, embedding: 'AAAA' },
  ];
  expect(formatOf('openai').response({ data, usage: { total_tokens: 4 } }, call, {})).toEqual({
    vectors: ['AAAA', 7],
    promptTokens: 4,
  });
  const unnumbered = data.map(({ embedding }) => ({ embedding }));
  expect(formatOf('openai').response({ data: unnumbered }, call, {})).toEqual({ vectors: [7, 'AAAA'] });
  for (const numbers of [
    [1, 2],
    [1, 1],
    [0, -1],
  ]) {
    const misnumbered = data.map(({ embedding }, at) => ({ embedding, index: numbers[at] }));
    expect(formatOf('openai').response({ data: misnumbered }, call, {})).toEqual({ vectors: [7, 'AAAA'] });
  }
});

test.each([
  [[], 'sent an answer that cannot be read'],
  [{ data: [{ embedding: 0 }] }, 'sent an answer that cannot be read'],
  [{ data: [{ embedding: 0 }, { embedding: null }] }, 'sent an answer that cannot be read'],
  [{ data: [{ embedding: 0 }, { embedding: 1 }, { embedding: 2 }] }, 'sent an answer that cannot be read'],
  [{ error: { message: 'Broken inside.' } }, 'Broken inside.'],
])('%o is a fault of the provider', (body, message) => {
  expect(() => formatOf('openai').response(body, call, {})).toThrow(message);
});

test('splits a request by the number of inputs, and by their tokens', () => {
  const inputs = ['aaaa', 'bb', [1, 2, 3], 'c'];
  const split = (limits: { inputs: number; tokens: number }) =>
    embeddingCalls({ inputs, encoding: 'float' }, limits).map((part) => part.inputs);
  expect(split({ inputs: 4, tokens: 10 })).toEqual([inputs]);
  expect(split({ inputs: 3, tokens: 10 })).toEqual([['aaaa', 'bb', [1, 2, 3]], ['c']]);
  expect(split({ inputs: 4, tokens: 9 })).toEqual([['aaaa', 'bb', [1, 2, 3]], ['c']]);
  expect(split({ inputs: 4, tokens: 2 })).toEqual([['aaaa'], ['bb'], [[1, 2, 3]], ['c']]);
});
