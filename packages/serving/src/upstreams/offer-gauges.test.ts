import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { createStandings, defaultRouting, indexCatalogue, offerKey } from '@tallyport/dispatch';
import { createMetrics } from '@tallyport/service-kit';
import { expect, test } from 'vitest';
import { offerGauges } from './offer-gauges.ts';

const offers = ['named', 'ill', 'well'].map((modelName) => offerOf('p', { modelName }));

test('offers beyond those with series of their own share one, which shows the worst of them', async () => {
  const standings = createStandings({ settings: defaultRouting });
  const [named, ill, well] = offers;
  if (named === undefined || ill === undefined || well === undefined) throw new TypeError('There are three offers.');
  for (const offer of offers) for (let count = 0; count < 100; count += 1) standings.answered(offer, 10);
  for (let count = 0; count < 100; count += 1) standings.failed(ill, { type: 'provider_overloaded' });
  standings.failed(well, { type: 'provider_overloaded' });
  while (standings.breakers.state(offerKey(ill)) === 'closed')
    await standings.breakers.call(offerKey(ill), async () => 'failed');

  const metrics = createMetrics({ defaults: false, offersCap: 1 });
  const index = indexCatalogue(catalogueOf(...offers.map((offer) => modelOf(offer.modelName, [offer]))));
  offerGauges(metrics)(index, standings);
  standings.close();
  const text = await metrics.text();
  const values = Object.fromEntries(
    [...text.matchAll(/^gateway_provider_(\w+)\{provider="p",model="(\w+)"\} (\S+)$/gm)].map(
      ([, metric, model, value]) => [`${metric} ${model}`, Number(value)],
    ),
  );
  expect(values).toEqual({
    'uptime_ratio named': 1,
    'uptime_ratio other': expect.closeTo(0.5, 2),
    'circuit_state named': 0,
    'circuit_state other': 2,
  });
});
