import type { Usage } from '@tallyport/wire';
import { type Members, finiteNumber } from '../read.ts';

const TICKS_PER_USD = 10_000_000_000;

/** The vendor counts reasoning separately from the completion, and reports the cost in ticks. */
export function usageWithReasoning(usage: Usage, raw: Members): Usage {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  const cost = usdOf(raw);
  return {
    ...usage,
    ...(total === prompt + completion + reasoning && { completion_tokens: completion + reasoning }),
    ...(cost !== undefined && { cost }),
  };
}

export function usdOf({ cost_in_usd_ticks }: Members): number | undefined {
  const ticks = finiteNumber(cost_in_usd_ticks);
  return ticks === undefined ? undefined : ticks / TICKS_PER_USD;
}
