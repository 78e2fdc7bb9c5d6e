import { expect, test } from 'vitest';
import { buildCatalogue } from '../build-catalogue.ts';
import { dataFileSchema } from '../data-file.ts';
import { gatherIngredients } from '../ingredients.ts';
import { applyOverrides } from '../overrides/apply-overrides.ts';
import { asOverrides } from './as-overrides.ts';
import { findDifferences } from './differences.ts';
import { perToken, readModelsDev } from './models-dev.ts';
import { findNewOffers } from './new-offers.ts';

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
const origin = { source: 'models.example', asOf: '2026-11-22' };
const differences = findDifferences(catalogue, readModelsDev(document));

test('reports only figures that differ', () => {
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

test('differences become overrides, merged with the existing ones', () => {
  const existing = { name: 'Quick', offers: { alpha: { priority: 0.5, pricing: { completion: '1', image: '2' } } } };
  const stored = { kind: 'model' as const, id: 'swift', value: existing, updatedAt: '' };
  expect(asOverrides({ differences, newOffers: [] }, [stored], origin)).toEqual([
    {
      kind: 'model',
      id: 'swift',
      value: {
        name: 'Quick',
        offers: {
          alpha: { priority: 0.5, pricing: { completion: '0.000003', image: '2' }, ...origin },
          together: { pricing: { input_cache_read: '0.00000025' }, contextLength: 2000, ...origin },
        },
      },
    },
  ]);
});

test.each([[[]], ['text'], [{ alpha: { models: { x: { cost: { input: '1' } } } } }]])(
  '%j is not a valid document',
  (value) => {
    expect(() => readModelsDev(value)).toThrow();
  },
);

const chatFile = dataFileSchema.parse({
  family: 'openai',
  models: [
    {
      ...model,
      id: 'gpt-x',
      aliases: ['gpt-x-latest'],
      features: ['streaming', 'tools', 'parallelToolCalls', 'sampling', 'json'],
      offers: [{ provider: 'openai', model: 'gpt-x', pricing: { prompt: '0.000001', completion: '0.000002' } }],
    },
  ],
});
const chats = buildCatalogue(gatherIngredients([chatFile]), { sandbox: false, now: 0 });
const cost = { input: 1, output: 2 };

test('compares features and tiered prices too; members missing in the document are ignored', () => {
  const longer = { input: 2, output: 4 };
  const theirs = {
    cost: { ...cost, context_over_200k: longer },
    tool_call: false,
    reasoning: true,
    structured_output: true,
    modalities: { input: ['text', 'image'], output: ['text'] },
  };
  const about = { modelId: 'gpt-x', providerId: 'openai', ours: undefined };
  const found = findDifferences(chats, readModelsDev({ openai: { models: { 'gpt-x': theirs } } }));
  expect(found).toEqual([
    {
      ...about,
      member: 'priceTiers',
      theirs: [{ overInputTokens: 200_000, pricing: { prompt: '0.000002', completion: '0.000004' } }],
    },
    {
      ...about,
      member: 'features',
      ours: 'streaming tools parallelToolCalls sampling json',
      theirs: ['streaming', 'sampling', 'json', 'vision', 'reasoning', 'structured'],
    },
  ]);
});

const newDocument = {
  openai: {
    models: {
      'gpt-x': { cost },
      'gpt-x-latest': { cost },
      'gpt-y': {
        name: 'GPT Y',
        release_date: '2026-11-01',
        cost,
        limit: { context: 1000, output: 10 },
        modalities: { input: ['text', 'pdf', 'image'], output: ['text'] },
        tool_call: true,
        reasoning: false,
        structured_output: true,
      },
      'gpt-old': { cost, status: 'deprecated' },
      'gpt-unpriced': {},
      'text-embedding-y': { cost },
      'gpt-speech': { cost, modalities: { output: ['audio'] } },
    },
  },
  openrouter: { models: { 'openai/gpt-y': { cost }, 'openai/gpt-x': { cost }, 'Maker/Own-1': { cost } } },
  'ollama-cloud': { models: { 'own-2': { cost } } },
  elsewhere: { models: { 'own-3': { cost } } },
};
const newOffers = findNewOffers(chats, readModelsDev(newDocument).offers());

test('offers not in the catalogue are new: as a model, or as an offer of an existing one', () => {
  expect(newOffers.map(({ modelId, isModel, offer }) => [modelId, isModel, offer.providerId, offer.modelName])).toEqual(
    [
      ['gpt-y', true, 'openai', 'gpt-y'],
      ['gpt-y', true, 'openrouter', 'openai/gpt-y'],
      ['gpt-x', false, 'openrouter', 'openai/gpt-x'],
      ['own-1', true, 'openrouter', 'Maker/Own-1'],
    ],
  );
});

test('new offers and models become overrides that the catalogue accepts', () => {
  const overrides = asOverrides({ differences: [], newOffers }, [], origin);
  const pricing = { prompt: '0.000001', completion: '0.000002' };
  const features = ['streaming', 'vision', 'tools', 'structured', 'json'];
  expect(overrides.map(({ id, value }) => [id, value])).toEqual([
    [
      'gpt-y',
      {
        name: 'GPT Y',
        family: 'openai',
        description: 'GPT Y, added from a list of models.',
        created: 1_793_491_200,
        input: ['text', 'image', 'file'],
        output: ['text'],
        contextLength: 1000,
        maxOutput: 10,
        features,
        offers: {
          openai: { model: 'gpt-y', pricing, contextLength: 1000, maxOutput: 10, features, ...origin },
          openrouter: { model: 'openai/gpt-y', pricing, features: ['streaming'], ...origin },
        },
      },
    ],
    ['gpt-x', { offers: { openrouter: { model: 'openai/gpt-x', pricing, features: ['streaming'], ...origin } } }],
    [
      'own-1',
      {
        name: 'Maker/Own-1',
        family: 'maker',
        description: 'Maker/Own-1, added from a list of models.',
        input: ['text'],
        output: ['text'],
        features: ['streaming'],
        offers: { openrouter: { model: 'Maker/Own-1', pricing, features: ['streaming'], ...origin } },
      },
    ],
  ]);
  const rows = overrides.map((override) => ({ ...override, updatedAt: '' }));
  const { ingredients, problems } = applyOverrides(
    gatherIngredients([chatFile]),
    rows,
    new Set(['openai', 'openrouter']),
  );
  expect([...problems]).toEqual([]);
  const after = buildCatalogue(ingredients, { sandbox: false, now: 0 });
  const again = readModelsDev(newDocument);
  expect([findDifferences(after, again), findNewOffers(after, again.offers())]).toEqual([[], []]);
});
