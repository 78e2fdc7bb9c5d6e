import { product } from '../decimal.ts';
import type { ModelPrices, PriceTable } from '../price-table.ts';
import { anthropicPrices } from './anthropic.ts';

const tiers = { flex: '0.5', batch: '0.5', priority: '1.75' };

/** Regional profiles of the newer models cost a tenth more. */
const regional = (prices: ModelPrices): ModelPrices => ({ ...prices, tokens: dearer(prices.tokens) });

const dearer = (prices: ModelPrices['tokens']): ModelPrices['tokens'] =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, product(price, '1.1')]));

const claudes = Object.entries(anthropicPrices).map(([name, { tokens }]) => [name, { tokens, tiers }] as const);

export const bedrockPrices: PriceTable = {
  'amazon.titan-embed-text-v2:0': { tokens: { input: '0.02' } },
  'amazon.rerank-v1:0': { tokens: {}, calls: { search_unit: '1' } },
  'cohere.rerank-v3-5:0': { tokens: {}, calls: { search_unit: '2' } },
  ...Object.fromEntries(claudes.map(([name, prices]) => [`anthropic.${name}`, prices])),
  ...Object.fromEntries(claudes.map(([name, prices]) => [`global.anthropic.${name}`, prices])),
  ...Object.fromEntries(claudes.map(([name, prices]) => [`us.anthropic.${name}`, regional(prices)])),
};
