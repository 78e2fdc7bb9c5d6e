import type { EmbedContentResponse } from '@google/genai';
import { VectorReader } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { isGeminiEmbedding, readGeminiEmbedding } from './index.ts';

const content = (text: string) => ({ parts: [{ text }] });
const read = (body: unknown, verb = 'embedContent') => readGeminiEmbedding({ body, path: `a/b:c:${verb}` });
const batch = (...requests: object[]) => read({ requests }, 'batchEmbedContents');

function answerOf(embedding: ReturnType<typeof read>, document: object): unknown {
  const reader = new VectorReader();
  reader.push(Buffer.from(JSON.stringify(document)));
  return JSON.parse(Buffer.concat(embedding.answer(reader.end())).toString());
}

test('one text becomes one input, and its vector is returned alone', () => {
  const body = { model: 'models/a', content: content('hi'), task_type: 'RETRIEVAL_QUERY', outputDimensionality: 2 };
  const embedding = read(body);
  expect(embedding.request).toEqual({
    model: 'a/b:c',
    input: ['hi'],
    encoding_format: 'float',
    input_type: 'search_query',
    dimensions: 2,
  });
  const answer = answerOf(embedding, { data: [{ embedding: [0.1, -2e-3] }], usage: { prompt_tokens: 1 } });
  expect(answer).toEqual({ embedding: { values: [0.1, -0.002] }, usageMetadata: { promptTokenCount: 1 } });
});

test('a batch becomes one request, in order', () => {
  const embedding = batch({ content: content('a') }, { content: content('b'), taskType: null });
  expect(embedding.request).toEqual({ model: 'a/b:c', input: ['a', 'b'], encoding_format: 'float' });
  const data = [{ embedding: [1] }, { embedding: [2, 3] }];
  const answer = answerOf(embedding, { data, usage: { prompt_tokens: 2 } });
  const expected: Pick<EmbedContentResponse, 'embeddings'> = { embeddings: [{ values: [1] }, { values: [2, 3] }] };
  expect(answer).toEqual({ ...expected, usageMetadata: { promptTokenCount: 2 } });
});

test.each([
  [() => read({}), 'content'],
  [() => read({ content: content('') }), 'content.parts[0].text'],
  [() => read({ content: { parts: [{ text: 'a' }, { text: 'b' }] } }), 'content.parts'],
  [() => read({ content: { parts: [{ inlineData: {} }] } }), 'content.parts[0].text'],
  [() => read({ content: content('a'), title: 'T' }), 'title'],
  [() => read({ content: content('a'), taskType: 'GUESS' }), 'taskType'],
  [() => read({ content: content('a'), outputDimensionality: 0 }), 'outputDimensionality'],
  [() => batch(), 'requests'],
  [() => batch({ content: content('a') }, { content: content('b'), taskType: 'CLUSTERING' }), 'requests[1].taskType'],
])('%s is refused by name: %s', (act, param) => {
  const code = param === 'title' ? 'unsupported_parameter' : 'invalid_parameters';
  expect(act).toThrow(expect.objectContaining({ code, param }));
});

test.each([
  ['m:embedContent', true],
  ['m:batchEmbedContents', true],
  ['m:generateContent', false],
  ['embedContent', false],
])('%s names a method for embeddings: %s', (path, expected) => {
  expect(isGeminiEmbedding(path)).toBe(expected);
});
