import { byName, countFields, namesOf, tokenClasses } from '@tallyport/contracts';
import { z } from 'zod';
import { count } from '../count.ts';

/** The counts of requests. */
export const requestCountNames = [
  'requests',
  'failed',
  'cached',
  'unpriced',
  'refused',
  'abandoned',
  'rescued',
] as const;

/** Sums over requests. `cost` is in USD, as a decimal string. */
export const sumsSchema = z.object({
  ...byName(requestCountNames, () => count),
  tokens: z.object(byName(tokenClasses, () => count)),
  ...byName(namesOf(countFields), () => count),
  cost: z.string(),
  /** The part of `cost` that the account paid directly, with its own provider keys. */
  ownKeyCost: z.string(),
  /** What tokens that providers read from their prompt caches would have cost more as ordinary input, in USD. */
  promptCacheSavings: z.string(),
  /** An estimate of the tokens that providers would have read from their prompt caches if they had been marked. */
  cacheableTokens: count,
  /** What tokens that providers wrote to their prompt caches cost more than ordinary input, in USD. */
  promptCacheSurcharge: z.string(),
});

export type Sums = z.infer<typeof sumsSchema>;
