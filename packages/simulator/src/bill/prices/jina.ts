import type { PriceTable } from '../price-table.ts';

export const jinaPrices: PriceTable = {
  'jina-reranker-v2-base-multilingual': { tokens: { input: '0.02' } },
  'jina-reranker-v3': { tokens: { input: '0.05' } },
};
