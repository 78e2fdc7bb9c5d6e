import type { ProviderKey } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import {
  accountTargets,
  createStandings,
  defaultRouting,
  indexCatalogue,
  type OwnKeys,
  planChat,
  readTargets,
} from '@tallyport/dispatch';
import { expect, test } from 'vitest';
import { chargedOffers } from './charged-offers.ts';

const providers = ['first', 'second', 'third'];
/** The service has no key for the third provider. */
const targets = readTargets(
  providers.map((id) => ({ id, baseUrl: 'https://vendor.test', keyVariable: id, auth: { kind: 'bearer' } }) as const),
  (stem) => ({ keys: stem === 'third' ? [] : ['service'], baseUrl: undefined }),
);
const index = indexCatalogue(
  catalogueOf(
    modelOf(
      'model',
      providers.map((id) => offerOf(id)),
    ),
  ),
);

const keysAt = (...of: string[]): ProviderKey[] => of.map((provider) => ({ id: provider, provider, key: 'own' }));

function chargedAt(own: OwnKeys | undefined): string[] {
  const standings = createStandings({ settings: defaultRouting });
  const ground = {
    index,
    obstacle: targets.obstacle,
    account: own && accountTargets(targets, own),
    standing: standings.of,
    settings: defaultRouting,
    maxAttempts: 3,
    random: 1,
    now: 0,
  };
  const plan = planChat({ model: 'model', needs: [], fallback: undefined }, ground);
  standings.close();
  return chargedOffers(plan).map(({ providerId }) => providerId);
}

const [byBoth, onlyByAccount] = [keysAt('first'), keysAt('third')];

test.each<[string, OwnKeys | undefined, string[]]>([
  ["without own keys, each offer that the service's keys can call", undefined, ['first', 'second']],
  ['with only own keys, no offer', { mode: 'own_only', keys: [...byBoth, ...onlyByAccount] }, []],
  [
    "with own keys first, their offers too if the service's key is next",
    { mode: 'own_first', keys: byBoth },
    ['first', 'second'],
  ],
  [
    'with own keys first, no offer that only they can call',
    { mode: 'own_first', keys: onlyByAccount },
    ['first', 'second'],
  ],
  ['with own keys first and none stored, the same as without', { mode: 'own_first', keys: [] }, ['first', 'second']],
])('may charge, %s', (_name, own, expected) => {
  expect(chargedAt(own).toSorted()).toEqual(expected);
});
