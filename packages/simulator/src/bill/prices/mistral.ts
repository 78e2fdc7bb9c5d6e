import type { PriceTable } from '../price-table.ts';

export const mistralPrices: PriceTable = {
  'mistral-embed': { tokens: { input: '0.1' } },
  'mistral-small-2603': { tokens: { input: '0.15', cache_read: '0.015', output: '0.6', reasoning: '0.6' } },
};
