import { byName, countFields, namesOf, noTokens } from '@tallyport/contracts';
import { requestCountNames, type Sums } from '../usage/sums.ts';

/** The usage of nothing. */
export const noSums: Sums = {
  ...byName(requestCountNames, () => 0),
  tokens: noTokens,
  ...byName(namesOf(countFields), () => 0),
  cost: '0',
  ownKeyCost: '0',
  promptCacheSavings: '0',
  promptCacheSurcharge: '0',
  cacheableTokens: 0,
};
