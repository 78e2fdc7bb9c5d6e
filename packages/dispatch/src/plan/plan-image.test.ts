import { GatewayError } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { defaultRouting } from '../settings.ts';
import { standingOf } from '../testing/standings.ts';
import { indexCatalogue } from './model-index.ts';
import { type ImagePlanQuestion, planImage } from './plan-image.ts';

const images = { outputModalities: ['image'] };
const auto = defaultRouting.imageAutoModel;
const now = Date.parse('2026-11-20T00:00:00Z');

const models = [
  modelOf(auto, [offerOf('locked')], images),
  modelOf('writer', [offerOf('open')]),
  modelOf('gone', [offerOf('open')], { ...images, deactivatedAt: '2026-10-01T00:00:00Z' }),
  modelOf('painter', [offerOf('open')], images),
  modelOf('blind', [offerOf('open', { vision: false })], images),
];

function refused(question: Partial<ImagePlanQuestion>, known = models) {
  const ground = {
    index: indexCatalogue(catalogueOf(...known)),
    maxAttempts: 3,
    now,
    random: 1,
    settings: defaultRouting,
    standing: () => standingOf(),
    obstacle: (id: string) => (id === 'locked' ? 'set LOCKED_API_KEY to use locked' : undefined),
  };
  try {
    return planImage({ model: 'auto', editing: false, fallback: undefined, ...question }, ground);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

const locked = `invalid_parameters No provider of '${auto}' is available: set LOCKED_API_KEY to use locked.`;

test.each([
  ['auto', {}, `${locked} Image models that can be called: painter, blind.`],
  ['its model by name', { model: auto }, `${locked} Image models that can be called: painter, blind.`],
  ['an edit', { editing: true }, `${locked} Image models that can be called: painter.`],
  [
    'a key that may use one of them',
    { principal: { accountId: 'a', keyId: 'k', allowedModels: ['blind'] } },
    `permission_denied This API key may not use '${auto}'. Image models that can be called: blind.`,
  ],
  [
    'a model without images',
    { model: 'open/writer' },
    "unsupported_capability 'writer' cannot make images. Image models that can be called: painter, blind.",
  ],
  [
    'a model that is gone',
    { model: 'gone' },
    "model_not_found 'gone' has not been offered since 2026-10-01T00:00:00Z. Image models that can be called: painter, blind.",
  ],
  ['an unknown model', { model: 'paint' }, "model_not_found There is no model 'paint'. Did you mean painter?"],
])('the error for %s names what can be called', (_name, question, message) => {
  expect(refused(question)).toBe(message);
});

test('names five models of many, deprecated ones last, and none if there is none', () => {
  const many = Array.from({ length: 6 }, (_, at) => modelOf(`painter-${at}`, [offerOf('open')], images));
  const named = 'painter-0, painter-1, painter-2, painter-3, painter-4 …';
  expect(refused({}, [models[0]!, ...many])).toBe(`${locked} Image models that can be called: ${named}.`);
  const old = modelOf('old', [offerOf('open')], { ...images, stability: 'deprecated' });
  expect(refused({}, [models[0]!, old, models[3]!])).toBe(`${locked} Image models that can be called: painter, old.`);
  expect(refused({}, models.slice(0, 2))).toBe(locked);
});
