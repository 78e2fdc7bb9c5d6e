import { sum } from '../decimal.ts';
import type { ModelPrices, PriceTable } from '../price-table.ts';

const claude: ModelPrices['tokens'] = {
  input: '5',
  cache_read: '0.5',
  cache_write: '6.25',
  output: '25',
  reasoning: '25',
};

/** Of what the vendor bills a key of its own. */
export const ownKeyFee = '0.05';

/** It reports the cost of each answer. */
export const openrouterPrices: PriceTable = {
  'anthropic/claude-opus-4.8': { tokens: claude, tiers: { byok: sum('1', ownKeyFee) } },
};
