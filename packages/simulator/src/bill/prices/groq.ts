import type { ModelPrices, PriceTable } from '../price-table.ts';

/** Flex costs as much as on demand, and is refused rather than delayed. */
const open = (input: string, read: string, output: string): ModelPrices => ({
  tokens: { input, cache_read: read, output, reasoning: output },
  tiers: { flex: '1', performance: '1' },
});

export const groqPrices: PriceTable = {
  'openai/gpt-oss-120b': open('0.15', '0.075', '0.6'),
  'openai/gpt-oss-20b': open('0.075', '0.0375', '0.3'),
};
