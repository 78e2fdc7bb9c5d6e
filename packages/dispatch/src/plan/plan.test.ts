import { GatewayError, type Principal } from '@switchyard/contracts';
import { describe, expect, test } from 'vitest';
import { defaultRouting } from '../settings.ts';
import { catalogueOf, modelOf, offerOf } from '@switchyard/contracts/testing';
import { standingOf } from '../testing/standings.ts';
import { indexCatalogue } from './model-index.ts';
import { needsOf } from './needs.ts';
import { type PlanQuestion, planChat } from './plan.ts';

const now = Date.parse('2026-11-20T00:00:00Z');
const index = indexCatalogue(
  catalogueOf(
    modelOf('swift', [offerOf('alpha'), offerOf('beta', { modelName: 'swift-2026' }), offerOf('gamma')], {
      aliases: ['swift-latest'],
    }),
    modelOf('maker/deep', [offerOf('beta', { modelName: 'deep' })]),
    modelOf('plain', [
      offerOf('alpha', { tools: false, vision: false, streaming: false }),
      offerOf('beta', { vision: false }),
    ]),
    modelOf('keyless', [offerOf('locked'), offerOf('locked-too')]),
    modelOf('gone', [offerOf('alpha', { deactivatedAt: '2026-10-01T00:00:00Z' })]),
    modelOf('going', [offerOf('alpha', { deactivatedAt: '2027-01-01T00:00:00Z' })]),
    modelOf('half-gone', [offerOf('alpha', { deactivatedAt: '2026-10-01T00:00:00Z' }), offerOf('beta')]),
    modelOf('wordy', [offerOf('alpha')], { jsonOutput: false, structuredOutputs: false }),
  ),
);
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
  planChat({ model, needs: [], noFallback: false, ...changes }, ground);
const providers = (model: string, changes: Partial<PlanQuestion> = {}) =>
  ask(model, changes).candidates.map(({ offer }) => offer.providerId);
const needs = (request: object) => needsOf({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...request });
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
    ['only what can stream', 'plain', { needs: needs({ stream: true }) }, ['beta']],
    [
      'only what has tools',
      'plain',
      { needs: needs({ tools: [{ type: 'function', function: { name: 'f' } }] }) },
      ['beta'],
    ],
    ['an empty list of tools asks for nothing', 'plain', { needs: needs({ tools: [] }) }, ['alpha', 'beta']],
    [
      'not those that cannot honour a member',
      'swift',
      { unsupported: ({ providerId }) => (providerId === 'gamma' ? undefined : 'stop') },
      ['gamma'],
    ],
    ['what goes later is still there', 'going', {}, ['alpha']],
    ['what is gone is left out', 'half-gone', {}, ['beta']],
    ['a key limited to a provider', 'swift', { principal: key({ allowedProviders: ['gamma'] }) }, ['gamma']],
    ['a key limited to a model', 'swift', { principal: key({ allowedModels: ['swift'] }) }, ['alpha', 'beta', 'gamma']],
    ['a key limited to an offer', 'swift', { principal: key({ allowedModels: ['beta/swift'] }) }, ['beta']],
  ])('%s', (_name, model, changes, expected) => {
    expect(providers(model, changes)).toEqual(expected);
  });

  test('no fallback means one attempt', () => {
    expect(ask('swift', { noFallback: true }).maxAttempts).toBe(1);
    expect(ask('swift').maxAttempts).toBe(3);
  });

  test('says what was asked for and why each stands where it stands', () => {
    const plan = ask('beta/swift');
    expect(plan).toMatchObject({ requestedModel: 'beta/swift', requestedProvider: 'beta' });
    expect(plan.candidates.map(({ reason }) => reason)).toEqual(['pinned']);
    expect(plan.excluded.map(({ offer, reason }) => [offer.providerId, reason])).toEqual([
      ['alpha', 'other_provider'],
      ['gamma', 'other_provider'],
    ]);
  });
});

describe('what is refused', () => {
  const image = {
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x/y.png' } }] }],
  };
  test.each<[string, string, Partial<PlanQuestion>, object]>([
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
    ['an unknown prefix', 'nobody/swift', {}, { code: 'model_not_found' }],
    [
      'a model the prefix does not offer',
      'gamma/plain',
      {},
      { code: 'model_not_found', message: "There is no model 'gamma/plain'. Did you mean plain?" },
    ],
    [
      'what no provider has a key for',
      'keyless',
      {},
      {
        code: 'invalid_parameters',
        status: 400,
        param: 'model',
        message: "No provider of 'keyless' can be called: set LOCKED_API_KEY; set LOCKED-TOO_API_KEY.",
      },
    ],
    [
      'images where none are read',
      'plain',
      { needs: needs(image) },
      {
        code: 'unsupported_capability',
        status: 400,
        param: 'messages',
        message: "'plain' cannot do what `messages` asks for: image input.",
      },
    ],
    [
      'a schema where there is none',
      'wordy',
      { needs: needs({ response_format: { type: 'json_schema', json_schema: { name: 's' } } }) },
      { code: 'unsupported_capability', param: 'response_format' },
    ],
    [
      'a member no provider can honour',
      'swift',
      { unsupported: () => 'stop' },
      {
        code: 'unsupported_capability',
        param: 'stop',
        message: "'swift' cannot do what `stop` asks for: alpha cannot honour it.",
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
      'what is gone',
      'gone',
      {},
      { code: 'model_not_found', message: "'gone' is no longer offered since 2026-10-01T00:00:00Z." },
    ],
  ])('%s', (_name, model, changes, expected) => {
    expect(refusal(() => ask(model, changes))).toMatchObject(expected);
  });

  test('a novel instead of a name is shortened', () => {
    expect(refusal(() => ask('x'.repeat(100_000))).message.length).toBeLessThan(200);
  });
});
