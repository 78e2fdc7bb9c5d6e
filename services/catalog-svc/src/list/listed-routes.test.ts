import { type Catalogue, knownRoutesSchema, type Model, type Principal, type Routes } from '@tallyport/contracts';
import { readConfig } from '@tallyport/service-kit';
import { openProviderTargets } from '@tallyport/serving/upstreams';
import { beforeAll, expect, test } from 'vitest';
import { catalogConfig } from '../config.ts';
import { anthropicForm } from '../forms/anthropic-form.ts';
import { geminiForm } from '../forms/gemini-form.ts';
import { openAiForm } from '../forms/openai-form.ts';
import type { ModelForm } from './model-form.ts';
import { createModelLists, type ModelLists } from './model-list.ts';

const model = (id: string, providerId: string, members: Partial<Model> = {}): Model => ({
  id,
  name: id,
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
  supportedParameters: ['tools', 'seed'],
  offers: [
    {
      providerId,
      modelName: `${id} there`,
      pricing: { prompt: '0.000001', completion: '0.000009' },
      streaming: true,
      vision: true,
      tools: true,
      parallelToolCalls: true,
      reasoning: false,
      cancellation: true,
      stability: 'stable',
    },
  ],
  ...members,
});

const small = model('small', 'openai', { contextLength: 8_000, maxOutput: 4_000, inputModalities: ['text', 'image'] });
const [offerOfSmall] = small.offers;
const large = model('large', 'anthropic', {
  contextLength: 1_000_000,
  maxOutput: 2_000,
  created: 1_800_000_000,
  structuredOutputs: false,
  moderated: true,
  supportedParameters: ['seed', 'stop'],
  offers: offerOfSmall
    ? [{ ...offerOfSmall, providerId: 'anthropic', pricing: { prompt: '0.00001', completion: '0.000008' } }]
    : [],
});
const both = { targets: [{ model: 'small' }, { model: 'anthropic/large', weight: 9 }] };
const routesOf = (routes: object): Routes =>
  knownRoutesSchema.parse(
    Object.fromEntries(
      Object.entries(routes).map(([name, { targets, ...route }]) => [
        name,
        {
          then: [],
          when: [],
          onContentFilter: 'stop',
          ...route,
          targets: targets.map((target: object) => ({ weight: 1, ...target })),
        },
      ]),
    ),
  );

let targets: ReturnType<typeof openProviderTargets>;
beforeAll(() => {
  const environment = { OPENAI_API_KEY: 'a-key', TALLYPORT_CONFIG: '' };
  targets = openProviderTargets(readConfig(catalogConfig, { environment }));
});

const lists = (catalogue: Partial<Catalogue> = {}): ModelLists =>
  createModelLists(
    { version: '1', models: [small, large], ...catalogue },
    { targets, unknownModels: 'refuse', now: () => Date.parse('2026-11-20T00:00:00Z') },
  );
const filters = { includeDeactivated: false, excludeDeprecated: false, includeUnavailable: false };
const principal = (members: Partial<Principal> = {}): Principal => ({ accountId: 'a', keyId: 'k', ...members });

interface Asked {
  routes?: object;
  form?: ModelForm;
  by?: Principal;
  from?: ModelLists;
}
const listed = ({
  routes,
  form = openAiForm,
  by = principal(routes && { routesVersion: '1' }),
  from = lists(),
}: Asked = {}) =>
  JSON.parse(
    from.list({ filters, form, page: {} }, { principal: by, routes: routes && routesOf(routes) }).body.toString(),
  );
const idsOf = (asked: Asked): string[] => listed(asked).data.map(({ id }: { id: string }) => id);

test('a route is a model that can what all of its targets can, at the highest of their prices', () => {
  const [route, ...others] = listed({ routes: { fast: both } }).data;
  expect(route).toEqual({
    id: 'fast',
    object: 'model',
    owned_by: 'route',
    name: 'fast',
    aliases: [],
    created: 1_800_000_000,
    description: 'A route to small, anthropic/large.',
    family: 'route',
    architecture: { input_modalities: ['text'], output_modalities: ['text'], tokenizer: 'Other' },
    top_provider: { is_moderated: true },
    available: true,
    providers: [
      expect.objectContaining({ providerId: 'openai', modelName: 'small there', available: true }),
      expect.objectContaining({ providerId: 'anthropic', available: false, unavailable_reason: expect.any(String) }),
    ],
    pricing: {
      prompt: '0.00001',
      completion: '0.000009',
      image: '0',
      request: '0',
      input_cache_read: '0',
      input_cache_write: '0',
      web_search: '0',
      internal_reasoning: '0',
    },
    context_length: 8_000,
    per_request_limits: { prompt_tokens: '8000', completion_tokens: '2000' },
    supported_parameters: ['seed'],
    json_output: true,
    structured_outputs: false,
    free: false,
    stability: 'stable',
    route: true,
  });
  expect(others.map(({ id }: { id: string }) => id)).toEqual(['small']);
});

test('a price that one target lacks is unknown', () => {
  const unpriced = { ...small, offers: small.offers.map((offer) => ({ ...offer, pricing: { prompt: '0.1' } })) };
  const [route] = listed({ routes: { fast: both }, from: lists({ models: [unpriced, large] }) }).data;
  expect(route.pricing).toMatchObject({ prompt: '0.1', completion: '-1' });
});

test('a route is in the forms of the other APIs', () => {
  const routes = { fast: { ...both, description: 'what the bot uses' } };
  expect(listed({ routes, form: anthropicForm }).data[0]).toEqual({
    type: 'model',
    id: 'fast',
    display_name: 'fast',
    created_at: '2027-01-15T08:00:00.000Z',
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
    capabilities: null,
    max_input_tokens: 8_000,
    max_tokens: 2_000,
  });
  expect(listed({ routes, form: geminiForm }).models[0]).toEqual({
    name: 'models/fast',
    version: 'fast',
    displayName: 'fast',
    description: 'what the bot uses',
    inputTokenLimit: 8_000,
    outputTokenLimit: 2_000,
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
    thinking: false,
  });
});

test('a route takes the place of a model of its name, and an own one that of the operator', () => {
  const from = lists({ routes: routesOf({ small: both, fast: { ...both, description: "the operator's" } }) });
  const routes = { fast: { ...both, description: 'our own' } };
  expect(idsOf({ from, routes })).toEqual(['small', 'fast']);
  expect(listed({ from }).data[1].description).toBe("the operator's");
  expect(listed({ from, routes }).data[1].description).toBe('our own');
  const one = (name: string) =>
    JSON.parse(from.one({ name, form: openAiForm }, { routes: routesOf(routes) }).body.toString());
  expect([one('fast').description, one('small').route, one('large').route]).toEqual(['our own', true, undefined]);
});

test.each([
  [{ allowedModels: ['small'] }, true],
  [{ allowedModels: ['anthropic/large'] }, false],
  [{ allowedModels: ['fast'] }, false],
  [{ allowedProviders: ['openai'] }, true],
  [{ allowedProviders: ['mistral'] }, false],
])('a key with %j sees a route to a callable target: %s', (restriction, isListed) => {
  const by = principal(restriction);
  expect(idsOf({ routes: { fast: both }, by }).includes('fast')).toBe(isListed);
});

test.each([
  ['then', { then: ['large'] }],
  ['a condition', { when: [{ if: 'request.stream', use: ['large'] }] }],
])('a key that may use only a model of %s sees the route', (_name, members) => {
  const anthropicKey = { ANTHROPIC_API_KEY: 'a-key', TALLYPORT_CONFIG: '' };
  const from = createModelLists(
    { version: '1', models: [small, large] },
    {
      targets: openProviderTargets(readConfig(catalogConfig, { environment: anthropicKey })),
      unknownModels: 'refuse',
      now: () => Date.parse('2026-11-20T00:00:00Z'),
    },
  );
  for (const targets of [[{ model: 'small' }], [{ model: 'gone' }]]) {
    const [route, ...others] = listed({
      routes: { fast: { targets, ...members } },
      by: principal({ allowedModels: ['large'] }),
      from,
    }).data;
    expect([route.id, route.route, route.available, others.map(({ id }: { id: string }) => id)]).toEqual([
      'fast',
      true,
      true,
      ['large'],
    ]);
  }
});

test('a key that may use no model of a route does not find it', () => {
  const routes = routesOf({ fast: both });
  const by = principal({ allowedProviders: ['mistral'] });
  expect(() => lists().one({ name: 'fast', form: openAiForm }, { principal: by, routes })).toThrow(
    "There is no model 'fast' for this API key. GET /v1/models lists the models it may use.",
  );
});

test('a route without a known target is not listed, and unknown ones of others are left out', () => {
  const unknown = { targets: [{ model: 'gone' }] };
  const partly = { targets: [{ model: 'gone' }, { model: 'small' }] };
  expect(idsOf({ routes: { unknown, partly } })).toEqual(['partly', 'small']);
  expect(() => lists().one({ name: 'unknown', form: openAiForm }, { routes: routesOf({ unknown }) })).toThrow(
    "There is no model 'unknown'.",
  );
});
