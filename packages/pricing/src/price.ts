import {
  type CostClass,
  type Offer,
  type TokenClass,
  tokenClasses,
  tokenFields,
  type Tokens,
} from '@switchyard/contracts';
import { type Money, readMoney } from './money.ts';

/** What a request used that costs money. */
export interface BillableUse {
  readonly tokens: Tokens;
  readonly images: number;
  /** USD, as the vendor reports what it will bill. */
  readonly vendorCost?: number | undefined;
}

export interface Price {
  /** `undefined`: the catalogue has no price for something that was used. */
  readonly cost: Money | undefined;
  /** What the sum is made of. */
  readonly costs: ReadonlyMap<CostClass, Money>;
}

type Pricing = Offer['pricing'];

/** More than any request can cost: a vendor that tells more is not believed. */
const mostVendorCost = 100_000;

/**
 * What a request cost. The vendor's own figure comes first. An image is paid for by its tokens where they were reported and have a
 * price, else by the image, never by both.
 */
export function price({ pricing, priceTiers = [] }: Pick<Offer, 'pricing' | 'priceTiers'>, used: BillableUse): Price {
  const vendor = vendorCostOf(used);
  if (vendor !== undefined) return summed(new Map([['vendor', vendor]]));
  const asked = promptTokensOf(used.tokens);
  const inForce = priceTiers.reduce(
    (prices, tier) => (asked > tier.overInputTokens ? { ...prices, ...tier.pricing } : prices),
    pricing,
  );
  const costs = new Map<CostClass, Money>();
  const perRequest = amount(inForce.request);
  if (perRequest !== undefined) costs.set('request', perRequest);
  const known = isPaidByImage(inForce, used) ? payImages(inForce, used, costs) : payTokens(inForce, used, costs);
  return known ? summed(costs) : { cost: undefined, costs };
}

const promptClasses = tokenClasses.filter((name) => tokenFields[name].of === 'prompt');

const promptTokensOf = (tokens: Tokens): number => promptClasses.reduce((sum, name) => sum + tokens[name], 0);

/** Whether the cost that a vendor reports cannot be true. */
export const isAbsurdCost = ({ vendorCost }: Pick<BillableUse, 'vendorCost'>): boolean =>
  vendorCost !== undefined && vendorCostOf({ vendorCost }) === undefined;

function vendorCostOf({ vendorCost }: Pick<BillableUse, 'vendorCost'>): Money | undefined {
  if (vendorCost === undefined || !(vendorCost >= 0 && vendorCost <= mostVendorCost)) return undefined;
  return readMoney(String(vendorCost));
}

const isPaidByImage = ({ image, completion }: Pricing, { images, tokens }: BillableUse): boolean =>
  images > 0 && image !== undefined && (tokens.imageOut === 0 || completion === undefined);

function payImages({ image = '' }: Pricing, { images }: BillableUse, costs: Map<CostClass, Money>): boolean {
  const each = amount(image);
  if (each !== undefined) costs.set('images', each * BigInt(images));
  return each !== undefined;
}

/** A class without a price of its own costs as much as what it is a kind of. */
function priceOf(pricing: Pricing, name: TokenClass): string | undefined {
  const kind = tokenFields[name].prices.find((kind) => pricing[kind] !== undefined);
  return kind === undefined ? undefined : pricing[kind];
}

function payTokens(pricing: Pricing, { tokens, images }: BillableUse, costs: Map<CostClass, Money>): boolean {
  // Without their tokens, the cost of images is known only where the whole request has a price.
  if (images > 0 && tokens.imageOut + tokens.output === 0) return costs.has('request');
  let known = true;
  for (const name of tokenClasses) {
    if (tokens[name] === 0) continue;
    const each = amount(priceOf(pricing, name));
    if (each === undefined) known = false;
    else costs.set(name, each * BigInt(tokens[name]));
  }
  return known;
}

function summed(costs: ReadonlyMap<CostClass, Money>): Price {
  let cost = 0n;
  for (const each of costs.values()) cost += each;
  return { cost, costs };
}

/** Prices that were read: there are few, and every request asks for some. */
const amounts = new Map<string, Money | undefined>();
const mostAmounts = 10_000;

function amount(text: string | undefined): Money | undefined {
  if (text === undefined) return undefined;
  if (amounts.has(text)) return amounts.get(text);
  if (amounts.size >= mostAmounts) amounts.clear();
  const money = readMoney(text);
  amounts.set(text, money);
  return money;
}
