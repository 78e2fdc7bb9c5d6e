import { byName, countFields, namesOf, type TokenField, tokenClasses, tokenFields } from '@tallyport/contracts';
import { requestCountNames, type Sums } from '@tallyport/management';

const ofUse = namesOf(countFields);
const names = [
  ...requestCountNames,
  ...ofUse,
  'cacheable',
  'cost',
  'savings',
  'surcharge',
  'tokensIn',
  'tokensOut',
  'tokensRead',
] as const;

/**
 * Sums as numbers, for charts and comparisons. Of prompt caches: `tokensRead` from them, `savings` by that, `surcharge`
 * for writing to them, and the tokens that were `cacheable` and not cached.
 */
export type Totals = Record<(typeof names)[number], number>;

export const noTotals: Totals = byName(names, () => 0);

export const totalsOf = (sums: Sums): Totals => ({
  ...byName(requestCountNames, (name) => sums[name]),
  ...byName(ofUse, (name) => sums[name]),
  cacheable: sums.cacheableTokens,
  cost: Number(sums.cost),
  savings: Number(sums.promptCacheSavings),
  surcharge: Number(sums.promptCacheSurcharge),
  tokensRead: sums.tokens.cacheRead,
  tokensIn: tokensOf('prompt', sums.tokens),
  tokensOut: tokensOf('answer', sums.tokens),
});

/** The tokens of all classes of the prompt or the answer. */
export const tokensOf = (part: TokenField['of'], tokens: Sums['tokens']): number =>
  tokenClasses.reduce((sum, name) => (tokenFields[name].of === part ? sum + tokens[name] : sum), 0);

const add = (one: Totals, other: Totals): Totals => byName(names, (name) => one[name] + other[name]);

export const sumOf = (all: readonly Totals[]): Totals => all.reduce(add, noTotals);

export const totalOfNumbers = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** `undefined` for a part of nothing. */
export const shareOf = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole);
