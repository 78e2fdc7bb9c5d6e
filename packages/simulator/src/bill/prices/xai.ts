import { madeUpPrices, type ModelPrices, type PriceTable } from '../price-table.ts';

interface Grok {
  readonly input: string;
  readonly output: string;
  readonly read: string;
}

const grok = ({ input, output, read }: Grok): ModelPrices => ({
  tokens: { input, cache_read: read, output, reasoning: output },
  tiers: { batch: '0.5' },
});

/** It reports the cost of each answer. */
export const xaiPrices: PriceTable = {
  'grok-4.3': {
    ...grok({ input: '1.25', output: '2.5', read: '0.2' }),
    long: { above: 200_000, tokens: { input: '2.5', cache_read: '0.4', output: '5', reasoning: '5' } },
  },
  'grok-4-1-fast-reasoning': grok({ input: '0.2', output: '0.5', read: '0.05' }),
  'grok-code-fast-1': grok({ input: '0.2', output: '1.5', read: '0.02' }),
  '*': madeUpPrices,
};
