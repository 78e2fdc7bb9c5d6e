import { describe, expect, it, test } from 'vitest';
import { dataFileSchema } from '../data-file.ts';
import { gatherIngredients } from '../ingredients.ts';
import { applyLayer } from './apply-layer.ts';
import { LayerError, parseLayer } from './layer.ts';

const swift = {
  id: 'swift',
  name: 'Swift',
  aliases: ['quick'],
  created: 1_700_000_000,
  description: 'A model.',
  input: ['text'],
  output: ['text'],
  features: ['streaming'],
  offers: [
    { provider: 'alpha', model: 'swift-1', pricing: { prompt: '0.1', completion: '0.2' } },
    { provider: 'beta', model: 'b/swift', pricing: { prompt: '0.3' } },
  ],
};
const base = gatherIngredients([
  dataFileSchema.parse({ family: 'birds', models: [swift, { ...swift, id: 'slow', aliases: [] }] }),
]);
const apply = (layer: unknown) => applyLayer(base, parseLayer(layer), new Set(['alpha', 'beta']));

const problemsWith = (layer: unknown): string[] => {
  try {
    apply(layer);
    return [];
  } catch (error) {
    if (!(error instanceof LayerError)) throw error;
    return error.problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
  }
};

test('a change affects only the named members, and the model keeps its place', () => {
  const { models } = apply({
    models: {
      swift: {
        contextLength: 7,
        deprecatedAt: '2030-01-01',
        offers: {
          alpha: { pricing: { completion: '0.9', image: '1' }, priority: 0.5 },
          beta: null,
        },
      },
    },
  });
  expect([...models.keys()]).toEqual(['swift', 'slow']);
  expect(models.get('swift')).toEqual({
    ...swift,
    family: 'birds',
    simulated: false,
    contextLength: 7,
    deprecatedAt: '2030-01-01T00:00:00Z',
    offers: [
      {
        provider: 'alpha',
        model: 'swift-1',
        pricing: { prompt: '0.1', completion: '0.9', image: '1' },
        source: 'the operator of this gateway',
        priority: 0.5,
      },
    ],
  });
  expect(models.get('slow')).toEqual(base.models.get('slow'));
});

test('a changed tier leaves the others as they are', () => {
  const flex = apply({ models: { swift: { offers: { alpha: { tiers: { flex: { factor: '0.5' } } } } } } });
  const layer = parseLayer({ models: { swift: { offers: { alpha: { tiers: { priority: { factor: '1.5' } } } } } } });
  const { models } = applyLayer(flex, layer, new Set(['alpha', 'beta']));
  expect(models.get('swift')?.offers[0]?.tiers).toEqual({ flex: { factor: '0.5' }, priority: { factor: '1.5' } });
});

test('a model with only a provider: the rest is assumed', () => {
  const { models, providers, priorities } = apply({
    providers: { 'my-own.1': { baseUrl: 'http://127.0.0.1:8000/v1', needsKey: false, priority: 0.25 } },
    models: { 'my/model': { offers: { 'my-own.1': { model: 'm', pricing: {} } } } },
  });
  expect(models.get('my/model')).toEqual({
    id: 'my/model',
    name: 'my/model',
    aliases: [],
    description: 'Added by the operator of this gateway.',
    family: 'custom',
    simulated: false,
    input: ['text'],
    output: ['text'],
    features: ['streaming', 'sampling'],
    offers: [{ provider: 'my-own.1', model: 'm', pricing: {}, source: 'the operator of this gateway' }],
  });
  expect([...providers.values()]).toEqual([
    { id: 'my-own.1', baseUrl: 'http://127.0.0.1:8000/v1', keyVariable: 'MY_OWN_1', needsKey: false },
  ]);
  expect([...priorities]).toEqual([['my-own.1', 0.25]]);
});

test('models can be removed, and providers can get a priority', () => {
  const { models, priorities, providers } = apply({ models: { swift: null }, providers: { beta: { priority: 0 } } });
  expect([[...models.keys()], [...priorities], [...providers]]).toEqual([['slow'], [['beta', 0]], []]);
});

test('sections without entries change nothing', () => {
  expect(apply({ models: null, providers: null })).toEqual(base);
});

test.each<[string, unknown, string[]]>([
  ['a misspelt section', { modles: {} }, ['modles: is not a known member.']],
  ['a misspelt member', { models: { swift: { contxt: 1 } } }, ['models.swift.contxt: is not a known member.']],
  [
    'a price that is a number',
    { models: { swift: { offers: { alpha: { pricing: { prompt: 0.1 } } } } } },
    ['models.swift.offers.alpha.pricing.prompt: must be USD as decimal text in quotes, such as "0.0000025".'],
  ],
  [
    'a factor that is a number',
    { models: { swift: { offers: { alpha: { tiers: { flex: { factor: 0.5 } } } } } } },
    ['models.swift.offers.alpha.tiers.flex.factor: must be a factor as decimal text in quotes, such as "0.5".'],
  ],
  [
    'a date that is none',
    { models: { swift: { deactivatedAt: '2026-13-01' } } },
    ['models.swift.deactivatedAt: must be a date such as 2026-10-14 or 2026-10-14T00:00:00Z.'],
  ],
  [
    'a priority above 1',
    { providers: { alpha: { priority: 1.1 } } },
    ['providers.alpha.priority: Too big: expected number to be <=1.'],
  ],
  [
    'a new model without offers',
    { models: { other: { name: 'O' } } },
    ['models.other.offers: Too small: expected array to have >=1 items.'],
  ],
  [
    'removing the last offer',
    { models: { slow: { offers: { alpha: null, beta: null } } } },
    ['models.slow.offers: Too small: expected array to have >=1 items.'],
  ],
  [
    'a new offer without the name of its model',
    { models: { swift: { offers: { gamma: { pricing: {} } } } } },
    ["models.swift.offers.gamma: needs model, the provider's name of the model."],
  ],
  [
    'an offer at an unknown provider',
    { models: { swift: { offers: { gamma: { model: 'x' } } } } },
    ['models.swift.offers.gamma: there is no provider gamma. Add it under providers with a baseUrl.'],
  ],
  [
    'a provider without an address',
    { providers: { own: {} } },
    ['providers.own: needs a baseUrl, because it is not built in.'],
  ],
  [
    'a provider without a real address',
    { providers: { own: { baseUrl: 'ftp://x' } } },
    ['providers.own.baseUrl: must be a URL that starts with http:// or https://.'],
  ],
  [
    'the address of a provider that is built in',
    { providers: { alpha: { baseUrl: 'https://x.example' } } },
    [
      'providers.alpha.baseUrl: is built in: only its priority can be set here. Set its key and address in the environment.',
    ],
  ],
  [
    'a provider that cannot go',
    { providers: { alpha: null } },
    ['providers.alpha: is built in and cannot be removed. Without a key it is not used.'],
  ],
  [
    'removing a provider and a model that do not exist',
    { providers: { own: null }, models: { none: null } },
    ['providers.own: there is no such provider to remove.', 'models.none: there is no such model to remove.'],
  ],
  [
    'a slash in a prefix',
    { providers: { 'a/b': null } },
    ['providers.a/b: must consist of lower-case letters, digits, ".", "_" and "-".'],
  ],
  [
    'a name taken twice',
    { models: { slow: { aliases: ['quick'] } } },
    ['models.slow: quick is already a name of swift.'],
  ],
  [
    'a name that is an alias',
    { models: { quick: { offers: { alpha: { model: 'q' } } } } },
    ['models.quick: quick is already a name of swift.'],
  ],
  [
    'an unknown quirk',
    { providers: { own: { baseUrl: 'https://x.example', quirks: { odd: 1 } } } },
    ['providers.own.quirks.odd: is not a known member.'],
  ],
])('%s is refused as a whole', (_name, layer, problems) => {
  expect(problemsWith(layer)).toEqual(problems);
});

describe('prices with dates', () => {
  const vendor = [
    { source: 'vendor', pricing: { prompt: '4', completion: '20' } },
    { from: '2026-11-22', source: 'vendor', pricing: { prompt: '5', completion: '30', input_cache_read: '1' } },
  ];
  const dated = gatherIngredients([
    dataFileSchema.parse({
      family: 'birds',
      models: [{ ...swift, offers: [{ provider: 'alpha', model: 'swift-1', prices: vendor, asOf: '2026-11-10' }] }],
    }),
  ]);
  const changed = (ingredients: typeof base, alpha: object) =>
    applyLayer(ingredients, parseLayer({ models: { swift: { offers: { alpha } } } }), new Set(['alpha', 'beta']))
      .models.get('swift')
      ?.offers.find(({ provider }) => provider === 'alpha');
  const change = '2026-11-22T00:00:00Z';

  it("are below an operator's price, which holds at all times", () => {
    const source = 'contract 7';
    expect(changed(dated, { pricing: { prompt: '3' }, source })?.prices).toEqual([
      { source, pricing: { prompt: '3', completion: '20' } },
      { from: change, source, pricing: { prompt: '3', completion: '30', input_cache_read: '1' } },
    ]);
  });

  it("are below an operator's price, which holds from its own date on", () => {
    const prices = [
      { from: '2026-10-01', pricing: { prompt: '3' } },
      { from: '2027-01-01', source: 'contract 8', pricing: { completion: '10' } },
    ];
    const source = 'the operator of this gateway';
    expect(changed(dated, { prices })?.prices).toEqual([
      { source: 'vendor', pricing: { prompt: '4', completion: '20' } },
      { from: '2026-10-01T00:00:00Z', source, pricing: { prompt: '3', completion: '20' } },
      { from: change, source, pricing: { prompt: '3', completion: '30', input_cache_read: '1' } },
      {
        from: '2027-01-01T00:00:00Z',
        source: 'contract 8',
        pricing: { prompt: '3', completion: '10', input_cache_read: '1' },
      },
    ]);
  });

  it('can be added to a price without a date, and to a new offer', () => {
    const prices = [{ from: '2027-01-01', source: 'contract', pricing: { prompt: '3' } }];
    const from = '2027-01-01T00:00:00Z';
    expect(changed(base, { prices })?.prices).toEqual([
      { pricing: { prompt: '0.1', completion: '0.2' } },
      { from, source: 'contract', pricing: { prompt: '3', completion: '0.2' } },
    ]);
    const added = { models: { own: { offers: { beta: { model: 'x', prices } } } } };
    expect(apply(added).models.get('own')?.offers).toEqual([
      { provider: 'beta', model: 'x', prices: [{ from, source: 'contract', pricing: { prompt: '3' } }] },
    ]);
  });

  it('stay as they are if another member changes', () => {
    expect(changed(dated, { priority: 0.5 })).toMatchObject({ asOf: '2026-11-10', prices: [{}, { from: change }] });
  });

  it('are refused with their place if their dates do not rise', () => {
    const prices = [
      { from: '2027-01-01', pricing: {} },
      { from: '2027-01-01', pricing: {} },
    ];
    expect(problemsWith({ models: { swift: { offers: { alpha: { prices } } } } })).toEqual([
      'models.swift.offers.alpha.prices.1.from: must be later than that of the price before it, 2027-01-01T00:00:00Z.',
    ]);
  });
});
