import type { UsageRecord } from '@tallyport/contracts';
import type { DemoOffer } from './offers.ts';

/** Trillionths of a dollar are whole numbers for every price per million tokens that is used here. */
const perDollar = 1e12;

/** What a demo request cost in all, and by class. */
export function demoCost(
  { prices }: DemoOffer,
  counts: Readonly<Record<'input' | 'cacheRead' | 'output', number>> & { images: number },
): Pick<UsageRecord, 'cost' | 'costs' | 'promptCacheSavings'> {
  const { input = 0, cacheRead = input, output = 0, image = 0 } = prices;
  const parts = {
    input: tokens(counts.input, input),
    cacheRead: tokens(counts.cacheRead, cacheRead),
    output: tokens(counts.output, output),
    images: Math.round(counts.images * image * perDollar),
  };
  const total = Object.values(parts).reduce((sum, part) => sum + part, 0);
  const charged = Object.entries(parts).filter(([, part]) => part > 0);
  return {
    cost: text(total),
    costs: Object.fromEntries(charged.map(([name, part]) => [name, text(part)])),
    promptCacheSavings: text(tokens(counts.cacheRead, input) - parts.cacheRead),
  };
}

const tokens = (count: number, perMillion: number): number => Math.round((count * perMillion * perDollar) / 1e6);

const text = (trillionths: number): string => (trillionths / perDollar).toFixed(12);
