import { byName, countFields, namesOf, type TokenField, tokenClasses, tokenFields } from '@tallyport/contracts';
import { requestCountNames, type Sums } from '@tallyport/management';

const ofUse = namesOf(countFields);
const names = [...requestCountNames, ...ofUse, 'cost', 'savings', 'tokensIn', 'tokensOut'] as const;

/** Sums as numbers, for charts and comparisons. `savings` is what prompt caches saved. */
export type Totals = Record<(typeof names)[number], number>;

export const noTotals: Totals = byName(names, () => 0);

export const totalsOf = (sums: Sums): Totals => ({
  ...byName(requestCountNames, (name) => sums[name]),
  ...byName(ofUse, (name) => sums[name]),
  cost: Number(sums.cost),
  savings: Number(sums.promptCacheSavings),
  tokensIn: tokensOf('prompt', sums.tokens),
  tokensOut: tokensOf('answer', sums.tokens),
});

const tokensOf = (part: TokenField['of'], tokens: Sums['tokens']): number =>
  tokenClasses.reduce((sum, name) => (tokenFields[name].of === part ? sum + tokens[name] : sum), 0);

const add = (one: Totals, other: Totals): Totals => byName(names, (name) => one[name] + other[name]);

export const sumOf = (all: readonly Totals[]): Totals => all.reduce(add, noTotals);
