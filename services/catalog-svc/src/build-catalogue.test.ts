import { catalogueSchema } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { buildCatalogue } from './build-catalogue.ts';
import { type DataFile, dataFileSchema } from './data-file.ts';
import { gatherIngredients } from './ingredients.ts';

const model = (id: string, changes: object = {}) => ({
  id,
  name: id,
  created: 1_700_000_000,
  description: 'A model.',
  input: ['text'],
  output: ['text'],
  features: ['streaming', 'tools', 'sampling'],
  offers: [{ provider: 'alpha', model: `${id}-2026`, pricing: { prompt: '0.000001', completion: '0.000002' } }],
  ...changes,
});

const now = Date.parse('2026-11-20T00:00:00Z');

const build = (files: readonly DataFile[], changes: { sandbox?: boolean; now?: number } = {}) =>
  buildCatalogue(gatherIngredients(files), { sandbox: false, now, ...changes });

test('simulated models that are off are named, so that a request for one can be explained', () => {
  const files = [fileOf('sandbox', [model('pretend', { aliases: ['pretend-latest'] })], { simulated: true })];
  expect(build(files)).toMatchObject({ models: [], simulatedOff: ['pretend', 'pretend-latest'] });
  const { models, simulatedOff } = build(files, { sandbox: true });
  expect([models.map(({ id }) => id), simulatedOff]).toEqual([['pretend'], undefined]);
});

const fileOf = (family: string, models: object[], changes: object = {}): DataFile =>
  dataFileSchema.parse({ family, models, ...changes });

test('an entry becomes a model with its offers', () => {
  const entry = model('swift', { contextLength: 1000, maxOutput: 100, deprecatedAt: '2026-10-14T00:00:00Z' });
  const { models } = build([fileOf('makers', [entry], { tokenizer: 'Bytes' })]);
  expect(models).toEqual([
    {
      id: 'swift',
      name: 'swift',
      aliases: [],
      created: 1_700_000_000,
      description: 'A model.',
      family: 'makers',
      inputModalities: ['text'],
      outputModalities: ['text'],
      contextLength: 1000,
      maxOutput: 100,
      tokenizer: 'Bytes',
      jsonOutput: false,
      structuredOutputs: false,
      free: false,
      deprecatedAt: '2026-10-14T00:00:00Z',
      stability: 'deprecated',
      supportedParameters: [
        'frequency_penalty',
        'max_completion_tokens',
        'max_tokens',
        'presence_penalty',
        'seed',
        'stop',
        'stream',
        'stream_options',
        'temperature',
        'tool_choice',
        'tools',
        'top_p',
        'user',
      ],
      offers: [
        {
          providerId: 'alpha',
          modelName: 'swift-2026',
          pricing: { prompt: '0.000001', completion: '0.000002' },
          streaming: true,
          vision: false,
          tools: true,
          parallelToolCalls: false,
          reasoning: false,
          jsonOutput: false,
          structuredOutputs: false,
          cancellation: true,
          stability: 'deprecated',
          contextLength: 1000,
          maxOutput: 100,
        },
      ],
    },
  ]);
});

test.each<[string, object, number]>([
  ['its release', {}, 1_700_000_000],
  ['the day the facts were gathered if the release is unknown', { created: undefined }, 1_763_596_800],
  ['the same for 0', { created: 0 }, 1_763_596_800],
])('a model was created on %s', (_name, changes, created) => {
  const files = [
    fileOf('makers', [model('swift', changes)], { asOf: '2025-11-19' }),
    fileOf('others', [], { asOf: '2025-11-20' }),
  ];
  expect(build(files).models[0]?.created).toBe(created);
});

test('models for endpoints that this gateway lacks are left out', () => {
  const speaker = model('speaker', { endpoint: 'speech' });
  expect(build([fileOf('makers', [model('swift'), speaker])]).models.map(({ id }) => id)).toEqual(['swift']);
});

test('simulated models are included only while the sandbox is on', () => {
  const files = [fileOf('makers', [model('swift')]), fileOf('sandbox', [model('pretend')], { simulated: true })];
  const ids = (sandbox: boolean) => build(files, { sandbox }).models.map(({ id }) => id);
  expect(ids(false)).toEqual(['swift']);
  expect(ids(true)).toEqual(['swift', 'pretend']);
});

test('the version changes only with the content', () => {
  const version = (...models: object[]) => build([fileOf('makers', models)]).version;
  expect(version(model('swift'))).toBe(version(model('swift')));
  expect(version(model('swift'))).not.toBe(version(model('swift', { description: 'Another.' })));
});

test('an offer has the reasoning efforts of its model, or its own', () => {
  const other = { provider: 'beta', model: 'y', pricing: {}, reasoningEfforts: ['high'] };
  const offers = [{ provider: 'alpha', model: 'x', pricing: {} }, other];
  const { models } = build([fileOf('makers', [model('swift', { offers, reasoningEfforts: ['low', 'high'] })])]);
  expect(models[0]?.offers.map(({ reasoningEfforts }) => reasoningEfforts)).toEqual([['low', 'high'], ['high']]);
});

test('an offer may differ from its model', () => {
  const offers = [{ provider: 'alpha', model: 'x', pricing: {}, features: ['vision'], contextLength: 5 }];
  const { models } = build([fileOf('makers', [model('swift', { offers, contextLength: 9 })])]);
  expect(models[0]?.offers[0]).toMatchObject({ vision: true, tools: false, streaming: false, contextLength: 5 });
  expect(models[0]).toMatchObject({ contextLength: 9 });
});

test.each<[string, object[], boolean]>([
  ['all prices of all offers are 0', [{ prompt: '0', completion: '0.0' }, { image: '0' }], true],
  ['a price is not 0', [{ prompt: '0', completion: '0.000001' }], false],
  ['one of two offers has a price', [{ prompt: '0' }, { prompt: '0.000001' }], false],
  ['no price is known', [{}], false],
  ['the price of one of two offers is unknown', [{ prompt: '0' }, {}], false],
])('whether a model is free if %s', (_name, prices, free) => {
  const offers = prices.map((pricing, at) => ({ provider: `provider-${at}`, model: 'x', pricing }));
  expect(build([fileOf('makers', [model('swift', { offers })])]).models[0]?.free).toBe(free);
});

const prices = [
  { from: '2026-08-21', source: 'the vendor', pricing: { prompt: '0.000004' } },
  { from: '2026-11-21T12:00:00Z', source: 'its blog', pricing: { prompt: '0.000005' } },
];
const dated = [
  fileOf('makers', [model('swift', { offers: [{ provider: 'alpha', model: 'x', prices }] }), model('slow')]),
];
const noon = Date.parse('2026-11-21T12:00:00Z');

test.each<[string, number, number]>([
  ['before the first date', Date.parse('2026-01-01'), 0],
  ['from the first date on', now, 0],
  ['a moment before a change', noon - 1, 0],
  ['at the moment of a change', noon, 1],
])('an offer has the price in force, its date and its source: %s', (_name, at, row) => {
  const [offer] = build(dated, { now: at }).models[0]?.offers ?? [];
  const { from = '', source, pricing } = prices[row] ?? {};
  const since = from.includes('T') ? from : `${from}T00:00:00Z`;
  expect(offer).toMatchObject({ pricing, priceSince: since, priceSource: source });
  expect(offer?.priceHistory?.map((each) => each.pricing)).toEqual(prices.map((each) => each.pricing));
});

test('a price without a date holds since the day it was read', () => {
  const offers = [
    { provider: 'alpha', model: 'x', pricing: {}, source: 'a list', asOf: '2026-11-10' },
    { provider: 'beta', model: 'x', pricing: {} },
  ];
  const [model1] = build([fileOf('makers', [model('swift', { offers })], { asOf: '2026-11-26' })]).models;
  expect(model1?.offers.map(({ priceSince, priceSource }) => [priceSince, priceSource])).toEqual([
    ['2026-11-10', 'a list'],
    ['2026-11-26', undefined],
  ]);
  expect(model1?.offers.map(({ priceHistory }) => priceHistory)).toEqual([undefined, undefined]);
});

test('the catalogue says what it will be at the next date: its version then, and the models that change', () => {
  const { next, version } = build(dated);
  const { next: none, ...then } = build(dated, { now: noon });
  expect(next).toEqual({
    at: '2026-11-21T12:00:00.000Z',
    version: then.version,
    models: then.models.filter(({ id }) => id === 'swift'),
  });
  expect(none).toBe(undefined);
  expect(version).not.toBe(then.version);
  expect(build([fileOf('makers', [model('swift')])]).next).toBe(undefined);
});

test('the result satisfies the contract', () => {
  const catalogue = build([fileOf('makers', [model('swift')])]);
  expect(catalogueSchema.parse(catalogue)).toEqual(catalogue);
});

test.each<[string, object, string]>([
  ['no date', {}, 'stable'],
  ['its own label', { stability: 'preview' }, 'preview'],
  ['deprecated since now', { deprecatedAt: '2026-11-20T00:00:00Z' }, 'deprecated'],
  ['deprecated from tomorrow on', { deprecatedAt: '2026-11-21T00:00:00Z', stability: 'beta' }, 'beta'],
  ['an end is announced', { deactivatedAt: '2027-01-01T00:00:00Z' }, 'deprecated'],
  ['gone', { deprecatedAt: '2026-01-01T00:00:00Z', deactivatedAt: '2026-11-20T00:00:00Z' }, 'deactivated'],
])('stability: %s', (_name, changes, stability) => {
  const { models } = build([fileOf('makers', [model('swift', changes)])]);
  expect([models[0]?.stability, models[0]?.offers[0]?.stability]).toEqual([stability, stability]);
});

test.each<[string, object, string[]]>([
  ['text, no sampling', { features: ['reasoning'] }, ['max_completion_tokens', 'max_tokens', 'reasoning', 'user']],
  [
    'efforts',
    { features: ['reasoning'], reasoningEfforts: ['low'] },
    ['max_completion_tokens', 'max_tokens', 'reasoning', 'reasoning_effort', 'user'],
  ],
  ['images', { features: [], output: ['image'] }, ['image_config', 'n', 'size', 'user']],
  ['a schema', { features: ['structured'] }, ['max_completion_tokens', 'max_tokens', 'response_format', 'user']],
])('supported parameters: %s', (_name, changes, parameters) => {
  const { models } = build([fileOf('makers', [model('swift', changes)])]);
  expect(models[0]?.supportedParameters).toEqual(parameters);
});

test('an offer has the tiers of its provider, and its own in place of them', () => {
  const tiers = { flex: { factor: '0.5' }, priority: { factor: '2' } };
  const origin = { source: 'a page', asOf: '2026-11-26' };
  const rules = { alpha: { tiers, ...origin }, gamma: { family: 'others', tiers, ...origin } };
  const offers = [
    { provider: 'alpha', model: 'a', pricing: { prompt: '1' }, tiers: { priority: { factor: '2.5' } } },
    { provider: 'beta', model: 'b', pricing: { prompt: '1' } },
    { provider: 'gamma', model: 'c', pricing: { prompt: '1' } },
  ];
  const files = [fileOf('makers', [model('chat', { offers }), model('vectors', { output: ['embeddings'] })])];
  const { models } = buildCatalogue(gatherIngredients(files, rules), { sandbox: false, now });
  expect(models.map((each) => each.offers.map((offer) => offer.tiers))).toEqual([
    [{ flex: { factor: '0.5' }, priority: { factor: '2.5' } }, undefined, undefined],
    [undefined],
  ]);
});
