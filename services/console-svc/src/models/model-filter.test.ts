import { expect, test } from 'vitest';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import { filterModels, modelsAddress, pageSize, readModelFilter } from './model-filter.ts';

const model = (id: string, changes: Partial<CatalogueModel> = {}): CatalogueModel => ({
  id,
  name: `Model ${id}`,
  family: 'acme',
  description: '',
  aliases: [],
  architecture: { input_modalities: ['text'], output_modalities: ['text'] },
  available: true,
  providers: [offer('alpha')],
  pricing: { prompt: '0.000001', completion: '0.000002' },
  per_request_limits: {},
  structured_outputs: false,
  json_output: false,
  ...changes,
});

const offer = (providerId: string, changes: Partial<CatalogueModel['providers'][number]> = {}) => ({
  providerId,
  modelName: 'm',
  pricing: {},
  available: true,
  vision: false,
  tools: false,
  reasoning: false,
  streaming: true,
  ...changes,
});

const models = [
  model('b', { pricing: { prompt: '0.000009' }, context_length: 8_000, aliases: ['bee'] }),
  model('a', { providers: [offer('beta', { tools: true })], context_length: 200_000 }),
  model('c', { available: false, providers: [offer('gamma', { available: false })], pricing: {} }),
  model('d', { architecture: { input_modalities: ['text'], output_modalities: ['image'] } }),
];
const found = (query: Record<string, string>): string[] =>
  filterModels(models, readModelFilter(query)).map(({ id }) => id);

test.each<[Record<string, string>, string[]]>([
  [{}, ['a', 'b', 'd']],
  [{ show: 'all' }, ['a', 'b', 'c', 'd']],
  [{ q: ' ACME  bee ' }, ['b']],
  [{ q: 'nothing' }, []],
  [{ can: 'tools' }, ['a']],
  [{ can: 'toString' }, ['a', 'b', 'd']],
  [{ makes: 'image' }, ['d']],
  [{ provider: 'beta' }, ['a']],
  [{ provider: 'gamma' }, []],
  [{ provider: 'gamma', show: 'all' }, ['c']],
  [{ order: 'price', show: 'all' }, ['a', 'd', 'b', 'c']],
  [{ order: 'context' }, ['a', 'b', 'd']],
])('%j finds %j', (query, expected) => expect(found(query)).toEqual(expected));

test('an address keeps every choice, and nothing that is usual', () => {
  const query = {
    q: 'x y',
    can: 'vision',
    makes: 'text',
    provider: 'p',
    show: 'all',
    order: 'price',
    compare: 'a,b/c',
    page: '2',
  };
  const address = modelsAddress('/d', readModelFilter(query));
  expect(Object.fromEntries(new URL(address, 'http://x').searchParams)).toEqual(query);
  expect(modelsAddress('/d', readModelFilter({ show: 'callable', order: 'nothing', page: '-1', compare: ',' }))).toBe(
    '/d/models',
  );
});

test('four models are compared, the fifth is not', () => {
  expect(readModelFilter({ compare: 'a,b,c,d' }).compared).toEqual(['a', 'b', 'c', 'd']);
  expect(readModelFilter({ compare: 'a,b,a,c,d,e' }).compared).toEqual(['a', 'b', 'c', 'd']);
});

test('a page is a number within reason', () => {
  expect(['0', '1', 'x', '1001', '2.5'].map((page) => readModelFilter({ page }).page)).toEqual([1, 1, 1, 1_000, 2]);
  expect(pageSize).toBe(40);
});
