import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { ProviderPreferences } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { defaultRouting } from '../settings.ts';
import { standingOf } from '../testing/standings.ts';
import { bestFirst } from './best-first.ts';
import { indexCatalogue } from './model-index.ts';
import { planChat } from './plan.ts';

const offers = {
  dear: offerOf('a', { pricing: { prompt: '0.000004', completion: '0.000004' } }),
  cheap: offerOf('b', { pricing: { prompt: '0.000001', completion: '0.000001' } }),
  middle: offerOf('c', { pricing: { prompt: '0.000002', completion: '0.000002' } }),
  unknown: offerOf('d', { pricing: {} }),
};
/** Tokens a second and milliseconds, by provider. */
const speeds: Record<string, [number, number]> = { a: [100, 300], b: [20, 900], c: [50, 100] };
const index = indexCatalogue(
  catalogueOf(
    modelOf('one', [offers.dear]),
    modelOf('two', [offers.middle, offers.cheap]),
    modelOf('none', [offers.unknown]),
  ),
);

function order(preferences: ProviderPreferences | undefined): string[] {
  const planOf = (model: string) =>
    planChat(
      { model, needs: [], fallback: undefined, preferences },
      {
        index,
        obstacle: () => undefined,
        standing({ providerId }) {
          const [throughput, latency] = speeds[providerId] ?? [];
          const mean = (value: number | undefined) => ({ mean: value ?? 0, samples: value === undefined ? 0 : 1_000 });
          return { ...standingOf(), throughput: mean(throughput), latency: mean(latency) };
        },
        settings: defaultRouting,
        maxAttempts: 3,
        random: 1,
        now: 0,
      },
    );
  const plans = ['none', 'one', 'two'].map(planOf);
  return bestFirst(plans, { preferences, planOf: (plan) => plan }).map(({ model }) => model.id);
}

test.each<[string, ProviderPreferences | undefined, string[]]>([
  ['without preferences', undefined, ['none', 'one', 'two']],
  ['with a partition', { sort: { by: 'price', partition: 'model' } }, ['none', 'one', 'two']],
  ['by a word', { sort: 'price' }, ['none', 'one', 'two']],
  ['by price', { sort: { by: 'price', partition: 'none' } }, ['two', 'one', 'none']],
  [
    'by price without the cheapest',
    { ignore: ['b'], sort: { by: 'price', partition: 'none' } },
    ['two', 'one', 'none'],
  ],
  ['by throughput', { sort: { by: 'throughput', partition: 'none' } }, ['one', 'two', 'none']],
  ['by latency', { sort: { by: 'latency', partition: 'none' } }, ['two', 'one', 'none']],
  [
    'by the offer that is tried first',
    { order: ['b'], sort: { by: 'latency', partition: 'none' } },
    ['one', 'two', 'none'],
  ],
])('models are in order %s', (_name, preferences, expected) => expect(order(preferences)).toEqual(expected));
