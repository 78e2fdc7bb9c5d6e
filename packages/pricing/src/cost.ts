import { noTokens, type Offer } from '@tallyport/contracts';
import type { ImagesUsage, Usage } from '@tallyport/wire';
import { moneyNumber } from './money.ts';
import { price } from './price.ts';
import { tokensOfChat, tokensOfImages } from './tokens.ts';

/** The usage of a chat in client format, with its cost in USD if known. */
export function withCost(usage: Usage, offer: Offer): Usage {
  const { cost } = price(offer, { ...tokensOfChat(usage), images: 0, vendorCost: usage.cost });
  const priced = withDetails(usage);
  if (cost === undefined) delete priced.cost;
  else priced.cost = moneyNumber(cost);
  return priced;
}

/**
 * Clients with strict types read the details of every usage, so counts missing from a vendor are zero. The tier is no
 * member of a client's usage: OpenAI's API has it beside the usage.
 */
export function withDetails({ service_tier: _tier, ...usage }: Usage): Usage {
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = usage;
  return {
    ...usage,
    prompt_tokens_details: prompt?.cached_tokens === undefined ? { cached_tokens: 0, ...prompt } : prompt,
    completion_tokens_details:
      completion?.reasoning_tokens === undefined ? { reasoning_tokens: 0, ...completion } : completion,
  };
}

/** The cost of images in USD; `undefined` if unknown. */
export function costOfImages(offer: Offer, images: number, usage: ImagesUsage | undefined): number | undefined {
  const tokens = usage === undefined ? noTokens : tokensOfImages(usage).tokens;
  const { cost } = price(offer, { tokens, images, vendorCost: usage?.cost });
  return cost === undefined ? undefined : moneyNumber(cost);
}
