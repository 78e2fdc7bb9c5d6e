import { GatewayError, type Offer } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import {
  defaultRouting,
  healthyFirst,
  indexCatalogue,
  offersBefore,
  type Plan,
  planChat,
  resolveModel,
  untriedOffers,
} from '@tallyport/dispatch';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { standingsOf } from '../../../dispatch/src/testing/standings.ts';
import { planEach } from './plan-each.ts';

const providers = ['north', 'south', 'west'];
const ids = ['swift', 'deep', 'small'];
const index = indexCatalogue(
  catalogueOf(
    ...ids.map((id) =>
      modelOf(
        id,
        providers.map((name) => offerOf(name)),
        { aliases: [`${id}-latest`] },
      ),
    ),
  ),
);
const names = ids.flatMap((id) => [id, `${id}-latest`, ...providers.map((provider) => `${provider}/${id}`)]);
const subset = (of: readonly string[]) => fc.subarray([...of]);
const situation = fc.record({
  models: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 8 }),
  down: subset(providers),
  keyless: subset(providers),
  allowedModels: fc.option(subset(ids), { nil: undefined }),
  ignore: fc.option(fc.subarray(providers, { minLength: 1 }), { nil: undefined }),
  fallback: fc.constantFrom('any-failure' as const, undefined),
  random: fc.double({ min: 0, max: 0.9999, noNaN: true }),
});

const nameOf = ({ model }: Plan, { providerId }: Offer): string => `${providerId}/${model.id}`;

test('a plan over several models tries no offer twice, and explains each offer that it does not try', async () => {
  await fc.assert(
    fc.asyncProperty(situation, async ({ models, down, keyless, allowedModels, ignore, fallback, random }) => {
      const ground = {
        index,
        obstacle: (provider: string) => (keyless.includes(provider) ? 'it has no key' : undefined),
        standing: standingsOf(Object.fromEntries(down.map((name) => [name, { breaker: 'open' as const }]))),
        settings: defaultRouting,
        maxAttempts: 3,
        random,
        now: 0,
      };
      const principal = { accountId: 'a', keyId: 'k', ...(allowedModels && { allowedModels }) };
      const preferences = ignore && { ignore };
      const planned = await planEach<Plan>(
        models.map((model) => ({ model })),
        {
          planWith: async ({ model }, before) =>
            planChat({ model, needs: [], fallback, principal, preferences, tried: offersBefore(before) }, ground),
          planOf: (plan) => plan,
          preferences,
        },
      ).catch((error: unknown) => error as GatewayError);
      const isRefused = planned instanceof GatewayError;
      const plans = isRefused ? [] : healthyFirst([planned.own, ...planned.standIns], (plan) => plan);
      const tried = plans.flatMap((plan) => plan.candidates.map(({ offer }) => nameOf(plan, offer)));
      expect(new Set(tried).size).toBe(tried.length);
      const untried = isRefused ? planned.untried : untriedOffers({ ...planned.own, ...planned }, []);
      const left = untried?.not_tried ?? [];
      const explained = left.map(({ provider, model }) => (provider ? `${provider}/${model}` : `model ${model}`));
      expect(explained.slice(0, tried.length)).toEqual(tried);
      expect(new Set(explained).size).toBe(explained.length);
      expect(left.filter(({ reason, detail }) => reason === '' || detail === '')).toEqual([]);
      const every = plans.flatMap((plan) => plan.model.offers.map((offer) => nameOf(plan, offer)));
      expect(every.filter((name) => !explained.includes(name))).toEqual([]);
      const idOf = (name: string): string => resolveModel(name, index).model.id;
      expect(new Set(left.map(({ model }) => idOf(model)))).toEqual(new Set(models.map(idOf)));
    }),
  );
});

test('what is wrong with a request precedes the missing key of another model', async () => {
  const ground = {
    index: indexCatalogue(catalogueOf(modelOf('locked', [offerOf('keyless')]), modelOf('plain', [offerOf('open')]))),
    obstacle: (provider: string) => (provider === 'keyless' ? 'set KEYLESS_API_KEY' : undefined),
    standing: standingsOf({}),
    settings: defaultRouting,
    maxAttempts: 3,
    random: 0,
    now: 0,
  };
  const unsupported = () => 'stop';
  const planned = planEach<Plan>([{ model: 'locked' }, { model: 'plain' }], {
    planWith: async ({ model }) =>
      planChat({ model, needs: [], fallback: undefined, ...(model === 'plain' && { unsupported }) }, ground),
    planOf: (plan) => plan,
    preferences: undefined,
  });
  await expect(planned).rejects.toMatchObject({
    param: 'stop',
    message: "'plain' does not support the requested `stop` at open.",
    untried: {
      not_tried: [
        { model: 'locked', provider: 'keyless', reason: 'no_access', detail: 'set KEYLESS_API_KEY' },
        { model: 'plain', provider: 'open', reason: 'unsupported', detail: 'the requested stop' },
      ],
    },
  });
});
