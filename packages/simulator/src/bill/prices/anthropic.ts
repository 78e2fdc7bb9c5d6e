import { product } from '../decimal.ts';
import type { ModelPrices, PriceTable } from '../price-table.ts';

interface Claude {
  readonly input: string;
  readonly output: string;
  /** What reading from the cache costs, as a part of the input. */
  readonly read?: string;
  /** The factor of `speed: fast`, of models that have it. */
  readonly fast?: string;
}

/** Writing for five minutes costs a quarter more than the input, for an hour twice the input. */
const tokensOf = ({ input, output, read = '0.1' }: Claude): ModelPrices['tokens'] => ({
  input,
  cache_read: product(input, read),
  cache_write_5m: product(input, '1.25'),
  cache_write_1h: product(input, '2'),
  compaction_input: input,
  compaction_output: output,
  advisor_input: input,
  advisor_output: output,
  output,
  reasoning: output,
});

const claude = (prices: Claude): ModelPrices => ({
  tokens: tokensOf(prices),
  calls: { web_search: '10', web_fetch: '0' },
  tiers: { priority: '1', batch: '0.5', ...(prices.fast !== undefined && { fast: prices.fast }) },
  geos: { us: '1.1' },
});

export const anthropicPrices: PriceTable = {
  'claude-fable-5': claude({ input: '10', output: '50' }),
  'claude-fable-5-1': claude({ input: '10', output: '50', read: '0.025' }),
  'claude-fable-5-2': claude({ input: '8', output: '40', read: '0.025' }),
  'claude-haiku-4-5': claude({ input: '1', output: '5' }),
  'claude-haiku-5-5': {
    ...claude({ input: '0.1', output: '0.5' }),
    long: { above: 100_000, tokens: tokensOf({ input: '0.5', output: '2.5' }) },
  },
  'claude-opus-4-5': claude({ input: '5', output: '25' }),
  'claude-opus-4-6': claude({ input: '5', output: '25', fast: '6' }),
  'claude-opus-4-7': claude({ input: '5', output: '25', fast: '6' }),
  'claude-opus-4-8': claude({ input: '5', output: '25', fast: '2' }),
  'claude-opus-5': claude({ input: '5', output: '25', fast: '2' }),
  'claude-opus-5-5': claude({ input: '4', output: '20', read: '0.05', fast: '2' }),
  'claude-sonnet-4-5': claude({ input: '3', output: '15' }),
  'claude-sonnet-4-6': claude({ input: '3', output: '15' }),
  'claude-sonnet-5': claude({ input: '2', output: '10' }),
  'claude-sonnet-5-5': claude({ input: '2', output: '10', read: '0.05' }),
};
