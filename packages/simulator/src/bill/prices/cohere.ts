import type { ModelPrices, PriceTable } from '../price-table.ts';

const perSearch = (search_unit: string): ModelPrices => ({ tokens: {}, calls: { search_unit } });

export const coherePrices: PriceTable = {
  'embed-english-v3.0': { tokens: { input: '0.1' } },
  'embed-multilingual-v3.0': { tokens: { input: '0.1' } },
  'embed-v4.0': { tokens: { input: '0.12' } },
  'rerank-v3.5': perSearch('2'),
  'rerank-v4.0-fast': perSearch('2'),
  'rerank-v4.0-pro': perSearch('2.5'),
};

/** The same models at Azure. */
export const azureCoherePrices: PriceTable = {
  'Cohere-rerank-v4.0-fast': perSearch('2'),
  'Cohere-rerank-v4.0-pro': perSearch('2.5'),
};
