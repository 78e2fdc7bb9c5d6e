import { offerOf } from '@tallyport/contracts/testing';
import { describe, expect, test } from 'vitest';
import { findChatProvider } from '../chat-providers.ts';
import { customProvider } from '../custom/custom-provider.ts';
import type { RerankCall } from '../spec/rerank-call.ts';

const call: RerankCall = { query: 'q', documents: ['a', 'b', 'c'], most: 2, returnDocuments: true };
const server = { id: 'own', baseUrl: 'https://own.example', keyVariable: 'OWN' };
const own = customProvider(server);
const tei = customProvider({ ...server, quirks: { rerank: 'tei' } });

function formatOf(id: string) {
  const format = ({ own, tei }[id] ?? findChatProvider(id))?.rankings;
  if (format === undefined) throw new Error(`${id} ranks nothing.`);
  return format;
}

const shared = { model: 'm', query: 'q', documents: ['a', 'b', 'c'], top_n: 2 };
const { model: _model, ...withoutModel } = shared;

test.each([
  ['aws-bedrock', 'amazon.rerank-v1:0', '/model/amazon.rerank-v1%3A0/invoke', withoutModel],
  ['aws-bedrock', 'cohere.rerank-v3-5:0', '/model/cohere.rerank-v3-5%3A0/invoke', { ...withoutModel, api_version: 2 }],
  ['azure', 'm', '/providers/cohere/v2/rerank', shared],
  ['cohere', 'm', '/v2/rerank', shared],
  ['jina', 'm', '/rerank', { ...shared, return_documents: false }],
  ['own', 'm', '/rerank', shared],
  ['tei', 'm', '/rerank', { query: 'q', texts: ['a', 'b', 'c'] }],
  ['together', 'm', '/rerank', { ...shared, return_documents: false }],
  ['vllm', 'm', '/rerank', shared],
  ['voyage', 'm', '/rerank', { model: 'm', query: 'q', documents: ['a', 'b', 'c'], top_k: 2 }],
])('sends the request of %s for %s', (id, modelName, path, body) => {
  const request = formatOf(id).request(call, offerOf(id, { modelName }));
  expect([request.path, JSON.parse(request.body)]).toEqual([path, body]);
});

test.each([
  ['cohere', { max_tokens_per_doc: 9, priority: 1 }],
  ['jina', { return_documents: false, truncation: false }],
  ['tei', { truncate: false }],
  ['voyage', { truncation: false }],
])('%s gets the members that it has: %o', (id, members) => {
  const everything = { ...call, tokensPerDocument: 9, priority: 1, truncation: false };
  const { body } = formatOf(id).request(everything, offerOf(id));
  expect(JSON.parse(body)).toMatchObject(members);
});

test.each([
  ['aws-bedrock', { tokensPerDocument: 9 }, 'max_tokens_per_doc'],
  ['cohere', { truncation: false }, 'truncation'],
  ['cohere', { truncation: true }, undefined],
  ['tei', { priority: 0 }, 'priority'],
  ['voyage', { tokensPerDocument: 9 }, 'max_tokens_per_doc'],
  ['voyage', { truncation: false }, undefined],
  ['own', { tokensPerDocument: 9, priority: 0, truncation: false }, undefined],
] as const)('%s with %o: unsupported is %s', (id, changes, member) => {
  expect(formatOf(id).unsupported({ ...call, ...changes }, offerOf(id))).toBe(member);
});

const results = [
  { index: 2, relevance_score: 0.9 },
  { index: 0, relevance_score: 0.1 },
];
const ranked = [
  { index: 2, score: 0.9 },
  { index: 0, score: 0.1 },
];

test.each([
  ['aws-bedrock', { results }, {}],
  ['cohere', { id: 'x', results, meta: { billed_units: { search_units: 1 } } }, { id: 'x', searchUnits: 1 }],
  ['jina', { results, usage: { total_tokens: 7 } }, { tokens: 7 }],
  ['voyage', { data: results, usage: { total_tokens: 7 } }, { tokens: 7 }],
])('reads the answer of %s', (id, body, facts) => {
  expect(formatOf(id).response(body, call)).toEqual({ results: ranked, ...facts });
});

test('sorts the results of a server that ranks all texts in any order, and keeps the wanted number', () => {
  const body = [
    { index: 0, score: -3 },
    { index: 1, score: -9.5 },
    { index: 2, score: 4 },
  ];
  expect(formatOf('tei').response(body, call)).toEqual({
    results: [
      { index: 2, score: 4 },
      { index: 0, score: -3 },
    ],
  });
});

describe('an answer that cannot be used is a fault of the provider', () => {
  const [first] = results;
  test.each([
    ['no object', []],
    ['no results', {}],
    ['a missing result', { results: [first] }],
    ['a document twice', { results: [first, first] }],
    ['a document that was not sent', { results: [first, { index: 3, relevance_score: 1 }] }],
    ['a negative index', { results: [first, { index: -1, relevance_score: 1 }] }],
    ['half an index', { results: [first, { index: 0.5, relevance_score: 1 }] }],
    ['an index of an array', { results: [first, { index: 'length', relevance_score: 1 }] }],
    ['no score', { results: [first, { index: 0 }] }],
    ['an infinite score', { results: [first, { index: 0, relevance_score: JSON.parse('1e999') }] }],
    ['a score as text', { results: [first, { index: 0, relevance_score: 'NaN' }] }],
  ])('%s', (_name, body) => {
    for (const id of ['aws-bedrock', 'cohere', 'voyage']) {
      expect(() => formatOf(id).response(body, call)).toThrow(
        expect.objectContaining({ code: 'upstream_error', domain: 'provider' }),
      );
    }
  });

  test.each([{}, null, 'text', [{ index: 0, score: 1 }]])('%j of Text Embeddings Inference', (body) => {
    expect(() => formatOf('tei').response(body, call)).toThrow('cannot be read');
  });
});
