import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';
import { GatewayError, type Model } from '@tallyport/contracts';
import { expect, expectTypeOf, test } from 'vitest';
import { type AnthropicModel, anthropicForm } from './anthropic-form.ts';
import { clientForm } from './client-form.ts';
import { geminiForm } from './gemini-form.ts';
import type { ModelForm, ModelView } from '../list/model-form.ts';
import { openAiForm } from './openai-form.ts';

const view: ModelView = { now: Date.parse('2026-11-20T00:00:00Z'), whyNot: () => undefined };
const model = (id: string, members: Partial<Model> = {}): Model => ({
  id,
  name: `Model ${id}`,
  aliases: [],
  created: 1_700_000_000,
  description: 'A model.',
  family: 'family',
  inputModalities: ['text'],
  outputModalities: ['text'],
  jsonOutput: true,
  structuredOutputs: true,
  free: false,
  stability: 'stable',
  supportedParameters: [],
  offers: [],
  ...members,
});
const models = ['a', 'b', 'c', 'd', 'e'].map((id) => model(id));
const listed = (form: ModelForm, query: string) =>
  JSON.parse(form.list(models, form.readPage(new URLSearchParams(query)), view));

test.each([
  ['', { ids: 'abcde', has_more: false, first_id: 'a', last_id: 'e' }],
  ['limit=2', { ids: 'ab', has_more: true, first_id: 'a', last_id: 'b' }],
  ['limit=2&after_id=b', { ids: 'cd', has_more: true, first_id: 'c', last_id: 'd' }],
  ['limit=2&after_id=d', { ids: 'e', has_more: false, first_id: 'e', last_id: 'e' }],
  ['after_id=e', { ids: '', has_more: false, first_id: null, last_id: null }],
  ['limit=2&before_id=d', { ids: 'bc', has_more: true, first_id: 'b', last_id: 'c' }],
  ['limit=2&before_id=b', { ids: 'a', has_more: false, first_id: 'a', last_id: 'a' }],
])("a page of Anthropic's list: %s", (query, { ids, ...rest }) => {
  const { data, ...page } = listed(anthropicForm, query);
  expect(page).toEqual(rest);
  expect(data.map(({ id }: { id: string }) => id).join('')).toBe(ids);
});

test.each([
  ['', 'abcde', undefined],
  ['pageSize=2', 'ab', 'b'],
  ['pageSize=2&pageToken=b', 'cd', 'd'],
  ['pageSize=2&pageToken=d', 'e', undefined],
])("a page of Google's list: %s", (query, ids, token) => {
  const page = listed(geminiForm, query);
  expect(page.nextPageToken).toBe(token);
  expect(page.models.map(({ version }: { version: string }) => version).join('')).toBe(ids);
});

test.each([
  [anthropicForm, 'limit=0'],
  [anthropicForm, 'limit=x'],
  [anthropicForm, 'after_id=none'],
  [geminiForm, 'pageSize=-1'],
  [geminiForm, 'pageToken=none'],
])('a wrong page is refused', (form, query) => {
  expect(() => listed(form, query)).toThrow(GatewayError);
});

test('a larger page is the largest', () => {
  expect(anthropicForm.readPage(new URLSearchParams('limit=5000'))).toEqual({ size: 1_000 });
});

test("a model in Anthropic's form", () => {
  const ending = model('b', { stability: 'deprecated', deactivatedAt: '2027-01-01T00:00:00Z' });
  expect(JSON.parse(anthropicForm.one(ending, view))).toMatchObject({ lifecycle: 'deprecated', deprecated_at: null });
  const old = model('a', { contextLength: 8, maxOutput: 4, deprecatedAt: '2026-01-01T00:00:00Z' });
  expectTypeOf<AnthropicModel>().toExtend<ModelInfo>();
  expect(JSON.parse(anthropicForm.one(old, view))).toEqual({
    type: 'model',
    id: 'a',
    display_name: 'Model a',
    created_at: '2023-11-14T22:13:20.000Z',
    lifecycle: 'deprecated',
    deprecated_at: '2026-01-01T00:00:00Z',
    retires_at: null,
    line: null,
    capabilities: null,
    max_input_tokens: 8,
    max_tokens: 4,
  });
  const gone = model('a', { deactivatedAt: '2026-02-01T00:00:00Z' });
  expect(JSON.parse(anthropicForm.one(gone, view))).toMatchObject({ lifecycle: 'retired' });
});

test("a model in Google's form", () => {
  expect(JSON.parse(geminiForm.one(model('a', { contextLength: 8, maxOutput: 4 }), view))).toEqual({
    name: 'models/a',
    version: 'a',
    displayName: 'Model a',
    description: 'A model.',
    inputTokenLimit: 8,
    outputTokenLimit: 4,
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
    thinking: false,
  });
});

test("an embedding model in Google's form has other methods", () => {
  expect(JSON.parse(geminiForm.one(model('a', { outputModalities: ['embeddings'] }), view))).toMatchObject({
    supportedGenerationMethods: ['embedContent', 'batchEmbedContents'],
  });
});

test.each([
  [{}, openAiForm],
  [{ 'anthropic-version': '2023-06-01' }, anthropicForm],
  [{ 'x-goog-api-client': 'google-genai-sdk/3.1.0' }, geminiForm],
])('%j has its form', (headers, form) => {
  expect(clientForm({ headers })).toBe(form);
});
