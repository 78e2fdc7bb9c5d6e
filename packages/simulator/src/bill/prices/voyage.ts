import type { PriceTable } from '../price-table.ts';

export const voyagePrices: PriceTable = {
  'rerank-2.5': { tokens: { input: '0.05' } },
  'rerank-2.5-lite': { tokens: { input: '0.02' } },
};
