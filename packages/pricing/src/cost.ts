import { noTokens, type Offer } from '@switchyard/contracts';
import type { ImagesUsage, Usage } from '@switchyard/wire';
import { moneyNumber } from './money.ts';
import { price } from './price.ts';
import { tokensOfChat, tokensOfImages } from './tokens.ts';

/** The usage of a chat as clients read it: with what it cost in USD, where that is known. */
export function withCost({ cost: vendorCost, ...usage }: Usage, offer: Offer): Usage {
  const { cost } = price(offer, { tokens: tokensOfChat(usage).tokens, images: 0, vendorCost });
  return { ...usage, ...(cost !== undefined && { cost: moneyNumber(cost) }) };
}

/** USD for images; `undefined` where it is not known. */
export function costOfImages(offer: Offer, images: number, usage: ImagesUsage | undefined): number | undefined {
  const tokens = usage === undefined ? noTokens : tokensOfImages(usage).tokens;
  const { cost } = price(offer, { tokens, images, vendorCost: usage?.cost });
  return cost === undefined ? undefined : moneyNumber(cost);
}
