import type { Offer } from '@tallyport/contracts';
import type { Usage } from '@tallyport/wire';
import { moneyNumber } from './money.ts';
import { price } from './price.ts';
import { tokensOfChat } from './tokens.ts';

/**
 * The usage of an answer that ended early: per class, the larger of the vendor's last report and our own count. The
 * vendor's cost is kept only if it is at least the cost of the larger counts.
 */
export function largerUsage(reported: Usage | undefined, counted: Usage, offer: Offer): Usage {
  if (reported === undefined) return counted;
  const promptTokens = Math.max(reported.prompt_tokens, counted.prompt_tokens);
  const completionTokens = Math.max(reported.completion_tokens, counted.completion_tokens);
  const { cost: reportedCost, ...rest } = reported;
  const images = counted.completion_tokens_details?.image_tokens ?? 0;
  const parts = rest.completion_tokens_details;
  const larger: Usage = {
    ...rest,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(images > 0 && {
      completion_tokens_details: { ...parts, image_tokens: Math.max(images, parts?.image_tokens ?? 0) },
    }),
  };
  if (reportedCost === undefined || reportedCost < costOf(larger, offer)) return larger;
  return { ...larger, cost: reportedCost };
}

function costOf(usage: Usage, offer: Offer): number {
  const { cost } = price(offer, { ...tokensOfChat(usage), images: 0 });
  return cost === undefined ? 0 : moneyNumber(cost);
}
