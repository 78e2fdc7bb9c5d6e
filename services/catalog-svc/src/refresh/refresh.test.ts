import { expect, test } from 'vitest';
import { buildCatalogue } from '../build-catalogue.ts';
import { dataFileSchema } from '../data-file.ts';
import { gatherIngredients } from '../ingredients.ts';
import { asOverrides } from './as-overrides.ts';
import { findDifferences } from './differences.ts';
import { perToken, readModelsDev } from './models-dev.ts';

test.each([
  [0, '0'],
  [2.5, '0.0000025'],
  [0.1, '0.0000001'],
  [0.075, '0.000000075'],
  [0.0001, '0.0000000001'],
  [1_000_000, '1'],
  [12_500_000, '12.5'],
  [30, '0.00003'],
])('%d USD per million tokens is %s per token', (perMillion, text) => {
  expect(perToken(perMillion)).toBe(text);
});

const model = {
  id: 'swift',
  name: 'Swift',
  description: 'A model.',
  input: ['text'],
  output: ['text'],
  features: [],
  contextLength: 1000,
  offers: [
    { provider: 'alpha', model: 'swift-1', pricing: { prompt: '0.0000010', completion: '0.000002' } },
    { provider: 'together', model: 'x/swift', pricing: { prompt: '0.000001' }, maxOutput: 7 },
    { provider: 'gamma', model: 'swift', pricing: {} },
  ],
};
const file = dataFileSchema.parse({ family: 'birds', models: [model] });
const catalogue = buildCatalogue(gatherIngredients([file]), { sandbox: false, now: 0 });

const document = {
  alpha: {
    name: 'Alpha',
    models: { 'swift-1': { id: 'swift-1', cost: { input: 1, output: 3 }, limit: { context: 1000, output: 0 } } },
  },
  togetherai: { models: { 'x/swift': { cost: { input: 1, cache_read: 0.25 }, limit: { context: 2000, output: 7 } } } },
  gamma: { models: { other: {} } },
};
const differences = findDifferences(catalogue, readModelsDev(document));

test('only what is another figure there differs', () => {
  expect(differences).toEqual([
    { modelId: 'swift', providerId: 'alpha', member: 'pricing.completion', ours: '0.000002', theirs: '0.000003' },
    {
      modelId: 'swift',
      providerId: 'together',
      member: 'pricing.input_cache_read',
      ours: undefined,
      theirs: '0.00000025',
    },
    { modelId: 'swift', providerId: 'together', member: 'contextLength', ours: '1000', theirs: 2000 },
  ]);
});

test('differences become overrides beside what overrides say already', () => {
  const existing = { name: 'Quick', offers: { alpha: { priority: 0.5, pricing: { completion: '1', image: '2' } } } };
  const stored = { kind: 'model' as const, id: 'swift', value: existing, updatedAt: '' };
  expect(asOverrides(differences, [stored])).toEqual([
    {
      kind: 'model',
      id: 'swift',
      value: {
        name: 'Quick',
        offers: {
          alpha: { priority: 0.5, pricing: { completion: '0.000003', image: '2' } },
          together: { pricing: { input_cache_read: '0.00000025' }, contextLength: 2000 },
        },
      },
    },
  ]);
});

test.each([[[]], ['text'], [{ alpha: { models: { x: { cost: { input: '1' } } } } }]])(
  '%j is no such document',
  (value) => {
    expect(() => readModelsDev(value)).toThrow();
  },
);
