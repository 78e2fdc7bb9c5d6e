import { byName, countFields, namesOf, tokenFields } from '@tallyport/contracts';
import { requestCountNames, type Sums, sumsSchema } from '@tallyport/management';
import { z } from 'zod';

const { shape } = sumsSchema;

/** Sums with the member names of `/v1`. */
export const ownSumsSchema = z.object({
  ...byName(requestCountNames, (name) => shape[name]),
  ...renamed(countFields, shape),
  cost: shape.cost,
  prompt_cache_savings: shape.promptCacheSavings,
  prompt_cache_surcharge: shape.promptCacheSurcharge,
  cacheable_tokens: shape.cacheableTokens,
  tokens: z.object(renamed(tokenFields, shape.tokens.shape)),
});

export const ownSums = (sums: Sums) => ({
  ...byName(requestCountNames, (name) => sums[name]),
  ...renamed(countFields, sums),
  cost: sums.cost,
  prompt_cache_savings: sums.promptCacheSavings,
  prompt_cache_surcharge: sums.promptCacheSurcharge,
  cacheable_tokens: sums.cacheableTokens,
  tokens: renamed(tokenFields, sums.tokens),
});

function renamed<Name extends string, Member>(
  fields: Readonly<Record<Name, { name: string }>>,
  members: Readonly<Record<NoInfer<Name>, Member>>,
): Record<string, Member> {
  return Object.fromEntries(namesOf(fields).map((field) => [fields[field].name, members[field]]));
}
