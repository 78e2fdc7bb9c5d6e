import { sum } from '../decimal.ts';
import { madeUpPrices, type ModelPrices, type PriceTable } from '../price-table.ts';
import { googlePrices } from './google.ts';
import { openAiPrices } from './openai.ts';
import { xaiPrices } from './xai.ts';

const claude: ModelPrices['tokens'] = {
  input: '5',
  cache_read: '0.5',
  cache_write: '6.25',
  output: '25',
  reasoning: '25',
};

/** Of what the vendor bills a key of its own. */
export const ownKeyFee = '0.05';

const listed = (tokens: ModelPrices['tokens']): ModelPrices => ({ tokens, tiers: { byok: sum('1', ownKeyFee) } });

/** The same price as at the vendor. */
const at = (vendor: string, prices: PriceTable): PriceTable =>
  Object.fromEntries(Object.entries(prices).map(([model, { tokens }]) => [`${vendor}/${model}`, listed(tokens)]));

/** It reports the cost of each answer. */
export const openrouterPrices: PriceTable = {
  ...at('google', googlePrices),
  ...at('openai', openAiPrices),
  ...at('x-ai', xaiPrices),
  'anthropic/claude-opus-4.8': listed(claude),
  '*': listed({ ...madeUpPrices.tokens, cache_write: '1' }),
};
