import type { PriceTable } from '../price-table.ts';

export const typesafePrices: PriceTable = {
  'jev-1.14.0': { tokens: { input: '0.042' } },
  'jev-latest': { tokens: { input: '0.042' } },
};
