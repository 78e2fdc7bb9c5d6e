import { product } from '../decimal.ts';
import type { ModelPrices, PriceTable } from '../price-table.ts';

interface Gpt {
  readonly input: string;
  readonly output: string;
  /** Absent: nothing is read from a cache. */
  readonly read?: string;
  /** Whether it charges a quarter more than the input for writing to the cache. */
  readonly writes?: true;
}

const tokensOf = ({ input, output, read, writes }: Gpt): ModelPrices['tokens'] => ({
  input,
  output,
  reasoning: output,
  ...(read !== undefined && { cache_read: read }),
  ...(writes && { cache_write_30m: product(input, '1.25'), cache_write_12h: product(input, '1.25') }),
});

const gpt = (prices: Gpt): ModelPrices => ({
  tokens: tokensOf(prices),
  calls: { web_search: '10' },
  tiers: { flex: '0.5', batch: '0.5', priority: '2', fast: '2' },
});

/** Above 272,000 tokens of prompt, everything in it costs twice as much, and the answer half as much again. */
function gptWithLongPrompts(prices: Gpt): ModelPrices {
  const { input, output, read } = prices;
  const dearer = { input: product(input, '2'), output: product(output, '1.5') };
  const long = tokensOf({ ...prices, ...dearer, ...(read !== undefined && { read: product(read, '2') }) });
  return { ...gpt(prices), long: { above: 272_000, tokens: long } };
}

/** Flex ends: newer models do not have it. */
function gptWithoutFlex(prices: Gpt): ModelPrices {
  const all = gptWithLongPrompts({ ...prices, writes: true });
  return { ...all, tiers: { batch: '0.5', priority: '2', fast: '2' } };
}

export const openAiPrices: PriceTable = {
  'gpt-4o': gpt({ input: '2.5', output: '10', read: '1.25' }),
  'gpt-4o-mini': gpt({ input: '0.15', output: '0.6', read: '0.075' }),
  'gpt-5': gpt({ input: '1.25', output: '10', read: '0.125' }),
  'gpt-5-mini': gpt({ input: '0.25', output: '2', read: '0.025' }),
  'gpt-5-nano': gpt({ input: '0.05', output: '0.4', read: '0.005' }),
  'gpt-5.1': gpt({ input: '1.25', output: '10', read: '0.125' }),
  'gpt-5.2': gpt({ input: '1.75', output: '14', read: '0.175' }),
  'gpt-5.4': gptWithLongPrompts({ input: '2.5', output: '15', read: '0.25' }),
  'gpt-5.4-mini': gpt({ input: '0.75', output: '4.5', read: '0.075' }),
  'gpt-5.4-nano': gpt({ input: '0.2', output: '1.25', read: '0.02' }),
  'gpt-5.5': {
    ...gptWithLongPrompts({ input: '5', output: '30', read: '0.5' }),
    tiers: { flex: '0.5', batch: '0.5', priority: '2.5', fast: '2.5' },
  },
  'gpt-5.6-sol': gptWithLongPrompts({ input: '4', output: '20', read: '0.4', writes: true }),
  'gpt-5.6-terra': gptWithLongPrompts({ input: '2', output: '12', read: '0.2', writes: true }),
  'gpt-5.6-luna': gptWithLongPrompts({ input: '0.2', output: '1.2', read: '0.02', writes: true }),
  'gpt-6-sol': gptWithLongPrompts({ input: '2', output: '10', read: '0.2', writes: true }),
  'gpt-6-luna': gptWithLongPrompts({ input: '0.1', output: '0.5', read: '0.01', writes: true }),
  'gpt-6.1-sol': gptWithLongPrompts({ input: '2', output: '10', read: '0.1', writes: true }),
  'gpt-6.1-terra': gptWithLongPrompts({ input: '1', output: '5', read: '0.05', writes: true }),
  'gpt-6.2-astra': gptWithoutFlex({ input: '8', output: '40', read: '0.4' }),
  'gpt-6.2-sol': gptWithoutFlex({ input: '2', output: '10', read: '0.1' }),
  'text-embedding-3-large': { tokens: { input: '0.13' } },
  'text-embedding-3-small': { tokens: { input: '0.02' } },
  'text-embedding-ada-002': { tokens: { input: '0.1' } },
  'gpt-image-2': { tokens: { image_gen_input: '5', image_gen_output: '30' } },
};
