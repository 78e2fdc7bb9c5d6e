import type { PriceTable } from '../price-table.ts';

export const xaiPrices: PriceTable = {
  'grok-4.3': {
    tokens: { input: '1.25', cache_read: '0.2', output: '2.5', reasoning: '2.5' },
    long: { above: 200_000, tokens: { input: '2.5', cache_read: '0.4', output: '5', reasoning: '5' } },
  },
};
