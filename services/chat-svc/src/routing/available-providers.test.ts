import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { createStandings, defaultRouting, indexCatalogue, type PlanGround, type Standings } from '@tallyport/dispatch';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { availableProviders } from './available-providers.ts';

const [first, second] = [offerOf('alpha', { modelName: 'one' }), offerOf('alpha', { modelName: 'two' })];
const other = offerOf('beta');
const index = indexCatalogue(
  catalogueOf(modelOf('one', [first, other]), modelOf('two', [second]), modelOf('three', [offerOf('keyless')])),
);

let standings: Standings;
beforeEach(() => {
  standings = createStandings({ settings: defaultRouting, monotonic: () => 0 });
});
afterEach(() => standings.close());

const states = () => {
  const obstacle = (provider: string) => (provider === 'keyless' ? 'set KEYLESS_API_KEY to use keyless' : undefined);
  // Only the members that are read; the others belong to plans.
  const ground = { index, obstacle } as PlanGround;
  return availableProviders({ ground: () => ground, standings, settings: defaultRouting }).map(
    ({ provider, state }) => `${provider} ${state}`,
  );
};
const fail = (offer: typeof first, times = 20) => {
  for (let count = 0; count < times; count += 1) standings.failed(offer, { type: 'provider_timeout' });
};

test('providers without a key of the gateway are left out, the others are operational until calls fail', () => {
  expect(states()).toEqual(['alpha operational', 'beta operational']);
  standings.answered(first, 100);
  standings.failed(first, { type: 'provider_timeout' });
  expect(states()).toEqual(['alpha operational', 'beta operational']);
});

test('a provider is degraded while some of its models fail', () => {
  fail(first);
  for (let count = 0; count < 20; count += 1) standings.answered(second, 100);
  expect(states()).toEqual(['alpha degraded', 'beta operational']);
});

test('a provider is out while all models that were called fail most of their calls', () => {
  fail(first);
  fail(other);
  expect(states()).toEqual(['alpha outage', 'beta outage']);
  for (let count = 0; count < 40; count += 1) standings.answered(other, 100);
  expect(states()).toEqual(['alpha outage', 'beta degraded']);
});
