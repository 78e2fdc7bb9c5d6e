import { noTokens, type Offer } from '@switchyard/contracts';
import type { ImagesUsage, Usage } from '@switchyard/wire';
import { moneyNumber } from './money.ts';
import { price } from './price.ts';
import { tokensOfChat, tokensOfImages } from './tokens.ts';

/** The usage of a chat in client format, with its cost in USD if known. */
export function withCost({ cost: vendorCost, ...usage }: Usage, offer: Offer): Usage {
  const { cost } = price(offer, { tokens: tokensOfChat(usage).tokens, images: 0, vendorCost });
  return { ...withDetails(usage), ...(cost !== undefined && { cost: moneyNumber(cost) }) };
}

/** Clients with strict types read the details of every usage, so counts missing from a vendor are zero. */
export const withDetails = (usage: Usage): Usage => ({
  ...usage,
  prompt_tokens_details: { cached_tokens: 0, ...usage.prompt_tokens_details },
  completion_tokens_details: { reasoning_tokens: 0, ...usage.completion_tokens_details },
});

/** The cost of images in USD; `undefined` if unknown. */
export function costOfImages(offer: Offer, images: number, usage: ImagesUsage | undefined): number | undefined {
  const tokens = usage === undefined ? noTokens : tokensOfImages(usage).tokens;
  const { cost } = price(offer, { tokens, images, vendorCost: usage?.cost });
  return cost === undefined ? undefined : moneyNumber(cost);
}
