import type { ModelPrices, PriceTable } from '../price-table.ts';

interface Gemini {
  readonly input: string;
  readonly output: string;
  readonly read: string;
}

const tokensOf = ({ input, output, read }: Gemini): ModelPrices['tokens'] => ({
  input,
  cache_read: read,
  tool_prompt: input,
  output,
  reasoning: output,
});

const gemini = (prices: Gemini): ModelPrices => ({
  tokens: tokensOf(prices),
  calls: { grounding: '14' },
  tiers: { flex: '0.5', batch: '0.5', priority: '1.8' },
});

export const googlePrices: PriceTable = {
  'gemini-2.5-flash': {
    ...gemini({ input: '0.3', output: '2.5', read: '0.03' }),
    calls: { grounding: '35' },
  },
  'gemini-3-flash-preview': gemini({ input: '0.5', output: '3', read: '0.05' }),
  'gemini-3.1-pro-preview': {
    ...gemini({ input: '2', output: '12', read: '0.2' }),
    long: { above: 200_000, tokens: tokensOf({ input: '4', output: '18', read: '0.4' }) },
  },
  'gemini-3.5-flash': gemini({ input: '1.5', output: '9', read: '0.15' }),
  'gemini-3.6-flash': gemini({ input: '0.75', output: '3.75', read: '0.075' }),
};
