import { GatewayError, type Principal } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { defaultRouting, type RoutingSettings } from '../settings.ts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { standingOf } from '../testing/standings.ts';
import type { Fallback } from './fallback.ts';
import { indexCatalogue } from './model-index.ts';
import { needsOf } from './needs.ts';
import { type PlanQuestion, planChat } from './plan.ts';

const now = Date.parse('2026-11-20T00:00:00Z');
const index = indexCatalogue({
  ...catalogueOf(
    modelOf('swift', [offerOf('alpha'), offerOf('beta', { modelName: 'swift-2026' }), offerOf('gamma')], {
      aliases: ['swift-latest'],
    }),
    modelOf('maker/deep', [offerOf('beta', { modelName: 'deep' })]),
    modelOf('plain', [
      offerOf('alpha', { tools: false, vision: false, streaming: false }),
      offerOf('beta', { vision: false }),
    ]),
    modelOf('keyless', [offerOf('locked'), offerOf('locked-too')]),
    modelOf('half-keyless', [offerOf('locked'), offerOf('alpha', { tools: false })]),
    modelOf('half-keyless-gone', [offerOf('locked'), offerOf('alpha', { deactivatedAt: '2026-10-01T00:00:00Z' })]),
    modelOf('gone', [offerOf('alpha', { deactivatedAt: '2026-10-01T00:00:00Z' })]),
    modelOf('going', [offerOf('alpha', { deactivatedAt: '2027-01-01T00:00:00Z' })]),
    modelOf('half-gone', [offerOf('alpha', { deactivatedAt: '2026-10-01T00:00:00Z' }), offerOf('beta')]),
    modelOf('reader', [offerOf('alpha', { vision: false })], { inputModalities: ['text', 'file'] }),
    modelOf('listener', [offerOf('alpha')], { inputModalities: ['text', 'audio'] }),
    modelOf('wordy', [offerOf('alpha')], { jsonOutput: false, structuredOutputs: false }),
  ),
  simulatedOff: ['sandbox-chat'],
});
const ground = {
  index,
  maxAttempts: 3,
  now,
  random: 1,
  settings: defaultRouting,
  standing: () => standingOf(),
  obstacle: (id: string) => (id.startsWith('locked') ? `set ${id.toUpperCase()}_API_KEY` : undefined),
};

const ask = (model: string, changes: Partial<PlanQuestion> = {}) =>
  planChat({ model, needs: [], fallback: undefined, ...changes }, ground);
const providers = (model: string, changes: Partial<PlanQuestion> = {}) =>
  ask(model, changes).candidates.map(({ offer }) => offer.providerId);
const needs = (request: object) => needsOf({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...request });
const withPart = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });
const file = { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==' } };
const audio = { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } };
const key = (limits: Partial<Principal>): Principal => ({ accountId: 'a', keyId: 'k', ...limits });

function refusal(run: () => unknown): Pick<GatewayError, 'code' | 'status' | 'message' | 'param'> {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) {
      const { code, status, message, param } = error;
      return { code, status, message, param };
    }
  }
  throw new Error('It was not refused.');
}

describe('which offers are tried', () => {
  test.each<[string, string, Partial<PlanQuestion>, string[]]>([
    ['a root id: all, in catalogue order', 'swift', {}, ['alpha', 'beta', 'gamma']],
    ['an alias', 'swift-latest', {}, ['alpha', 'beta', 'gamma']],
    ['a prefixed id: that provider only', 'beta/swift', {}, ['beta']],
    ['a prefixed alias', 'gamma/swift-latest', {}, ['gamma']],
    ["a prefix with the provider's own name", 'beta/swift-2026', {}, ['beta']],
    ['an id with a slash is not a prefix', 'maker/deep', {}, ['beta']],
    ['a prefixed id with a slash', 'beta/maker/deep', {}, ['beta']],
    ['only offers that can stream', 'plain', { needs: needs({ stream: true }) }, ['beta']],
    [
      'only offers with tools',
      'plain',
      { needs: needs({ tools: [{ type: 'function', function: { name: 'f' } }] }) },
      ['beta'],
    ],
    ['an empty list of tools needs nothing', 'plain', { needs: needs({ tools: [] }) }, ['alpha', 'beta']],
    [
      'no offers that do not support a member',
      'swift',
      { unsupported: ({ providerId }) => (providerId === 'gamma' ? undefined : 'stop') },
      ['gamma'],
    ],
    ['a file for a model that reads files', 'reader', { needs: needs(withPart(file)) }, ['alpha']],
    ['a file for a model that sees', 'swift', { needs: needs(withPart(file)) }, ['alpha', 'beta', 'gamma']],
    ['audio for a model that hears', 'listener', { needs: needs(withPart(audio)) }, ['alpha']],
    ['offers with a later end date', 'going', {}, ['alpha']],
    ['no offers past their end date', 'half-gone', {}, ['beta']],
    ['a key limited to a provider', 'swift', { principal: key({ allowedProviders: ['gamma'] }) }, ['gamma']],
    ['a key limited to a model', 'swift', { principal: key({ allowedModels: ['swift'] }) }, ['alpha', 'beta', 'gamma']],
    ['a key limited to an offer', 'swift', { principal: key({ allowedModels: ['beta/swift'] }) }, ['beta']],
  ])('%s', (_name, model, changes, expected) => {
    expect(providers(model, changes)).toEqual(expected);
  });

  test('without fallback there is one attempt', () => {
    expect(ask('swift', { fallback: 'never' }).maxAttempts).toBe(1);
    expect(ask('swift').maxAttempts).toBe(3);
  });

  test.each<[string, Fallback | undefined, RoutingSettings['prefixFallback'], Fallback]>([
    ['beta/swift', undefined, 'unhealthy', 'unhealthy'],
    ['beta/swift', undefined, 'any-failure', 'any-failure'],
    ['beta/swift', 'any-failure', 'unhealthy', 'any-failure'],
    ['beta/swift', 'unhealthy', 'any-failure', 'unhealthy'],
    ['beta/swift', 'never', 'any-failure', 'never'],
    ['swift', 'never', 'any-failure', 'never'],
    ['swift', 'unhealthy', 'unhealthy', 'any-failure'],
  ])('of %s, where %s is asked and %s is set, the fallback is %s', (model, fallback, prefixFallback, expected) => {
    const settings = { ...defaultRouting, prefixFallback };
    expect(planChat({ model, needs: [], fallback }, { ...ground, settings }).fallback).toBe(expected);
  });

  test('reports the request and the reason for each place', () => {
    const plan = ask('beta/swift');
    expect(plan).toMatchObject({ requestedModel: 'beta/swift', requestedProvider: 'beta' });
    expect(plan.candidates.map(({ reason }) => reason)).toEqual(['pinned']);
    expect(plan.excluded.map(({ offer, reason }) => [offer.providerId, reason])).toEqual([
      ['alpha', 'other_provider'],
      ['gamma', 'other_provider'],
    ]);
  });
});

type RefusalCase = [string, string, Partial<PlanQuestion>, object];

describe('refusals', () => {
  const lockedAway = 'Providers that could serve it are not available: set LOCKED_API_KEY.';
  const image = withPart({ type: 'image_url', image_url: { url: 'https://x/y.png' } });
  test.each<RefusalCase>([
    [
      'an unknown model, with near names',
      'swifd',
      {},
      { code: 'model_not_found', status: 404, message: "There is no model 'swifd'. Did you mean swift?" },
    ],
    [
      'an unknown model, near nothing',
      'zzzzzzzzzzzz',
      {},
      { code: 'model_not_found', message: "There is no model 'zzzzzzzzzzzz'. GET /v1/models lists all." },
    ],
    ...['sandbox-chat', 'sandbox-a/sandbox-chat'].map((model): RefusalCase => [
      'a simulated model while these are off',
      model,
      {},
      {
        code: 'model_not_found',
        message:
          "There is no model 'sandbox-chat': the simulated models are off because a provider key is set (or by SANDBOX=off). SANDBOX=on keeps them.",
      },
    ]),
    ...(
      [
        ['an unknown prefix', 'elsewhere/swift', 'Did you mean swift?'],
        ['a mistyped prefix', 'alpa/swift', 'Did you mean alpha/swift?'],
        ['a mistyped prefix of an alias', 'gama/swift-latest', 'Did you mean gamma/swift-latest?'],
        ['a colon', 'alpha:swift', 'Did you mean alpha/swift?'],
        ['a colon and a mistyped model', 'alpha:swifd', 'Did you mean alpha/swift?'],
        ['a tag', 'swift:free', 'Did you mean swift?'],
      ] as const
    ).map(
      ([name, model, hint]) =>
        [
          name,
          model,
          {},
          { code: 'model_not_found', message: `There is no model '${model}'. ${hint}` },
        ] satisfies RefusalCase,
    ),
    [
      'a model the prefix does not offer',
      'gamma/plain',
      {},
      {
        code: 'model_not_found',
        message:
          "There is no model 'gamma/plain'. Did you mean plain? To use models that are not in the catalogue, the operator can set UNKNOWN_MODELS=allow.",
      },
    ],
    [
      'a model without a provider key',
      'keyless',
      {},
      {
        code: 'invalid_parameters',
        status: 400,
        param: 'model',
        message: "No provider of 'keyless' is available: set LOCKED_API_KEY; set LOCKED-TOO_API_KEY.",
      },
    ],
    [
      'a member that only a provider without a key supports',
      'half-keyless',
      { unsupported: ({ providerId }) => (providerId === 'alpha' ? 'stop' : undefined) },
      {
        code: 'unsupported_capability',
        param: 'stop',
        message: `'half-keyless' does not support the requested \`stop\` at alpha. ${lockedAway}`,
      },
    ],
    [
      'a capability that only an offer without a key has',
      'half-keyless',
      { needs: needs({ tools: [{ type: 'function', function: { name: 'f' } }] }) },
      {
        code: 'unsupported_capability',
        param: 'tools',
        message: `'half-keyless' does not support tools (\`tools\`). ${lockedAway}`,
      },
    ],
    [
      'exactly this request, except at a provider without a key',
      'half-keyless',
      {
        refusal: ({ providerId }) =>
          providerId === 'alpha'
            ? new GatewayError('request_too_large', 'Too large.', { param: 'messages' })
            : undefined,
      },
      { code: 'request_too_large', status: 413, param: 'messages', message: `Too large. ${lockedAway}` },
    ],
    [
      'a member, where the only provider with a key is not preferred',
      'half-keyless',
      { preferences: { ignore: ['alpha'] } },
      {
        code: 'invalid_parameters',
        param: 'provider',
        message:
          "No offer of 'half-keyless' meets the preferences of the request: locked (set LOCKED_API_KEY), alpha (provider.ignore).",
      },
    ],
    [
      'a member, where a provider without a key is not preferred',
      'half-keyless',
      { preferences: { ignore: ['locked'] }, unsupported: () => 'stop' },
      { param: 'stop', message: "'half-keyless' does not support the requested `stop` at alpha." },
    ],
    [
      'a model whose provider without a key still has it',
      'half-keyless-gone',
      {},
      { param: 'model', message: "No provider of 'half-keyless-gone' is available: set LOCKED_API_KEY." },
    ],
    [
      'images for a text model',
      'plain',
      { needs: needs(image) },
      {
        code: 'unsupported_capability',
        status: 400,
        param: 'messages',
        message: "'plain' does not support image input (`messages`).",
      },
    ],
    [
      'files for a text model',
      'plain',
      { needs: needs(withPart(file)) },
      { code: 'unsupported_capability', message: "'plain' does not support file input (`messages`)." },
    ],
    [
      'audio for a model without audio input',
      'swift',
      { needs: needs(withPart(audio)) },
      { code: 'unsupported_capability', message: "'swift' does not support audio input (`messages`)." },
    ],
    [
      'a schema for a model without structured output',
      'wordy',
      { needs: needs({ response_format: { type: 'json_schema', json_schema: { name: 's' } } }) },
      { code: 'unsupported_capability', param: 'response_format' },
    ],
    [
      'a member that no provider supports',
      'swift',
      { unsupported: () => 'stop' },
      {
        code: 'unsupported_capability',
        param: 'stop',
        message: "'swift' does not support the requested `stop` at alpha.",
      },
    ],
    [
      'a model the key may not use',
      'swift',
      { principal: key({ allowedModels: ['plain'] }) },
      { code: 'permission_denied', status: 403, message: "This API key may not use 'swift'." },
    ],
    [
      'a provider the key may not use',
      'alpha/swift',
      { principal: key({ allowedProviders: ['beta'] }) },
      { status: 403 },
    ],
    [
      'a model past its end date',
      'gone',
      {},
      { code: 'model_not_found', message: "'gone' has not been offered since 2026-10-01T00:00:00Z." },
    ],
  ])('%s', (_name, model, changes, expected) => {
    expect(refusal(() => ask(model, changes))).toMatchObject(expected);
  });

  test('a name that is too long is shortened in the error', () => {
    expect(refusal(() => ask('x'.repeat(100_000))).message.length).toBeLessThan(200);
  });
});

describe('a name that is not in the catalogue', () => {
  const catalogue = catalogueOf(modelOf('swift', [offerOf('alpha')]));
  const custom = { id: 'own', baseUrl: 'http://127.0.0.1:8000/v1', keyVariable: 'OWN' };
  const open = indexCatalogue({ ...catalogue, providers: [custom] }, 'allow');
  const askOpen = (model: string, changes: Partial<PlanQuestion> = {}) =>
    planChat({ model, needs: [], fallback: undefined, ...changes }, { ...ground, index: open });

  test.each([
    ['alpha/made-up', 'alpha', 'made-up'],
    ['own/maker/large', 'own', 'maker/large'],
    ['vllm/large', 'vllm', 'large'],
  ])('is passed on to its provider if the operator allows it: %s', (model, provider, name) => {
    const request = { stream: true, tools: [{ type: 'function', function: { name: 'f' } }], max_tokens: 1_000_000 };
    const plan = askOpen(model, { needs: needs(request) });
    expect(plan).toMatchObject({ model: { id: name, stability: 'unlisted' }, requestedProvider: provider });
    expect(plan.candidates.map(({ offer }) => [offer.providerId, offer.modelName, offer.pricing])).toEqual([
      [provider, name, {}],
    ]);
  });

  test.each<[string, Partial<PlanQuestion>, string]>([
    ['made-up', {}, 'model_not_found'],
    ['elsewhere/made-up', {}, 'model_not_found'],
    ['alpha/', {}, 'model_not_found'],
    ['alpha/two words', {}, 'model_not_found'],
    [`alpha/${'x'.repeat(201)}`, {}, 'model_not_found'],
    ['alpha/made-up', { principal: key({ allowedModels: ['swift'] }) }, 'permission_denied'],
    ['alpha/made-up', { principal: key({ allowedProviders: ['own'] }) }, 'permission_denied'],
  ])('is still refused: %s %o', (model, changes, code) => {
    expect(refusal(() => askOpen(model, changes)).code).toBe(code);
  });

  test('may have 200 characters', () => {
    expect(askOpen(`alpha/${'x'.repeat(200)}`).candidates.length).toBe(1);
  });

  test('is allowed to a key that lists it, under either name', () => {
    const principal = key({ allowedModels: ['alpha/made-up'] });
    expect(askOpen('alpha/made-up', { principal }).candidates.length).toBe(1);
  });
});
