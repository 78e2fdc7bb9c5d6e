import { noTokens } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { moneyText } from './money.ts';
import { price } from './price.ts';
import { estimateRanking, rankingTokens, rankingUsage } from './rankings.ts';
import { tokensOfChat } from './tokens.ts';

const bySearch = offerOf('a', { pricing: { search: '0.002' } });
const byToken = offerOf('b', { pricing: { prompt: '0.00000005' } });
const texts = (count: number, tokens: number, changes: object = {}) => ({
  query: 'one two ',
  documents: Array.from({ length: count }, () => 'x'.repeat(4 * tokens)),
  ...changes,
});

test('the query is read with every document', () => {
  expect(rankingTokens(texts(3, 10))).toBe(3 * (2 + 10));
});

test.each([
  [1, 1, {}, 1],
  [100, 498, {}, 1],
  [101, 498, {}, 2],
  [100, 499, {}, 2],
  [1, 0, {}, 1],
  [100, 100_000, {}, 9],
  [100, 100_000, { tokensPerDocument: 498 }, 1],
  [100, 100_000, { tokensPerDocument: 499 }, 2],
  [100, 100_000, { tokensPerDocument: 20_000 }, 41],
  [100, 100, { query: 'x'.repeat(4 * 400) }, 1],
  [100, 101, { query: 'x'.repeat(4 * 400) }, 2],
])('%i documents of %i tokens with a query of 2 and %o are %i search units', (count, tokens, changes, units) => {
  expect(rankingUsage(texts(count, tokens, changes), bySearch).estimated.search_units).toBe(units);
});

test('an offer is billed by what it has a price for, as reported or estimated', () => {
  const given = texts(2, 10);
  const searched = rankingUsage(given, bySearch);
  const units = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 24 };
  expect(searched.estimated).toEqual({ ...units, search_units: 1 });
  expect(searched.reported({ searchUnits: 3, tokens: 9 })).toEqual({ ...units, search_units: 3 });
  expect(searched.reported({ tokens: 9 })).toBeUndefined();
  const read = rankingUsage(given, byToken);
  expect(read.estimated).toEqual({ prompt_tokens: 24, completion_tokens: 0, total_tokens: 24 });
  expect(read.reported({ tokens: 9 })).toEqual({ prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 });
  expect(read.reported({ searchUnits: 3 })).toBeUndefined();
});

test('is reserved as it is billed', () => {
  const estimate = estimateRanking(texts(2, 10));
  expect(estimate.tokens).toBe(24);
  expect(estimate.at(bySearch)).toEqual({ tokens: noTokens, images: 0, searchUnits: 1 });
  expect(estimate.at(byToken)).toEqual({ tokens: { ...noTokens, input: 24 }, images: 0 });
});

const costOf = (pricing: Record<string, string>, searchUnits: number) => {
  const counted = tokensOfChat({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, search_units: searchUnits });
  const { cost, costs } = price(offerOf('a', { pricing }), { ...counted, images: 0 });
  return [cost === undefined ? null : moneyText(cost), costs.map(({ of }) => of), counted.adjusted];
};

test('search units are paid each, and without a price the cost is unknown', () => {
  expect(costOf({ search: '0.002' }, 3)).toEqual(['0.006', ['searchUnits'], false]);
  expect(costOf({ prompt: '1' }, 3)).toEqual([null, [], false]);
  expect(costOf({ request: '0.01' }, 3)).toEqual(['0.01', ['request'], false]);
});

test.each([
  [-1, '0'],
  [Number.NaN, '0'],
  [1e12, '20'],
])('%d reported search units are bounded and flagged', (units, cost) => {
  expect(costOf({ search: '0.002' }, units)).toEqual([cost, cost === '0' ? [] : ['searchUnits'], true]);
});
