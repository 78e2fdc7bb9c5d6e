import type { PriceTable } from '../price-table.ts';

export const voyagePrices: PriceTable = {
  'voyage-4': { tokens: { input: '0.06' } },
  'voyage-4-large': { tokens: { input: '0.12' } },
  'voyage-4-lite': { tokens: { input: '0.02' } },
  'voyage-3.5': { tokens: { input: '0.06' } },
  'voyage-3-large': { tokens: { input: '0.18' } },
  'voyage-code-3': { tokens: { input: '0.18' } },
  'voyage-context-3': { tokens: { input: '0.18' } },
  'rerank-2.5': { tokens: { input: '0.05' } },
  'rerank-2.5-lite': { tokens: { input: '0.02' } },
};
