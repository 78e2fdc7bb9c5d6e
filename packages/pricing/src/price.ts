import {
  type CostClass,
  type Offer,
  type TokenClass,
  tokenClasses,
  tokenFields,
  type Tokens,
} from '@switchyard/contracts';
import { type Money, readMoney } from './money.ts';

/** The billable usage of a request. */
export interface BillableUse {
  readonly tokens: Tokens;
  readonly images: number;
  /** Of text read aloud. */
  readonly characters?: number;
  readonly audioSeconds?: number;
  /** The cost in USD that the vendor reports. */
  readonly vendorCost?: number | undefined;
}

export interface Price {
  /** `undefined` if the catalogue lacks a price for something that was used. */
  readonly cost: Money | undefined;
  /** The parts of the sum. */
  readonly costs: ReadonlyMap<CostClass, Money>;
  /** What the tokens read from the provider's prompt cache would have cost more as ordinary input. */
  readonly promptCacheSavings: Money;
}

type Pricing = Offer['pricing'];

/** More than any request can cost. Larger vendor costs are ignored. */
const mostVendorCost = 100_000;

/**
 * The cost of a request. A cost reported by the vendor takes precedence. Images are charged by tokens if these were
 * reported and have a price, otherwise per image, never both; audio by the character or the minute if there is such a
 * price, otherwise by tokens.
 */
export function price({ pricing, priceTiers = [] }: Pick<Offer, 'pricing' | 'priceTiers'>, used: BillableUse): Price {
  const vendor = vendorCostOf(used);
  if (vendor !== undefined) return { cost: vendor, costs: new Map([['vendor', vendor]]), promptCacheSavings: 0n };
  const asked = promptTokensOf(used.tokens);
  const inForce = priceTiers.reduce(
    (prices, tier) => (asked > tier.overInputTokens ? { ...prices, ...tier.pricing } : prices),
    pricing,
  );
  const costs = new Map<CostClass, Money>();
  const perRequest = amount(inForce.request);
  if (perRequest !== undefined) costs.set('request', perRequest);
  const known =
    payAudio(inForce, used, costs) ||
    (isPaidByImage(inForce, used) ? payImages(inForce, used, costs) : payTokens(inForce, used, costs));
  const promptCacheSavings = costs.has('cacheRead') ? savedByCache(inForce, used.tokens) : 0n;
  return { cost: known ? sumOf(costs) : undefined, costs, promptCacheSavings };
}

function savedByCache(pricing: Pricing, { cacheRead }: Tokens): Money {
  const [full = 0n, cached = 0n] = [amount(priceOf(pricing, 'input')), amount(priceOf(pricing, 'cacheRead'))];
  return full > cached ? (full - cached) * BigInt(cacheRead) : 0n;
}

const promptClasses = tokenClasses.filter((name) => tokenFields[name].of === 'prompt');

const promptTokensOf = (tokens: Tokens): number => promptClasses.reduce((sum, name) => sum + tokens[name], 0);

/** Whether a cost reported by a vendor is implausible. */
export const isAbsurdCost = ({ vendorCost }: Pick<BillableUse, 'vendorCost'>): boolean =>
  vendorCost !== undefined && vendorCostOf({ vendorCost }) === undefined;

function vendorCostOf({ vendorCost }: Pick<BillableUse, 'vendorCost'>): Money | undefined {
  if (vendorCost === undefined || !(vendorCost >= 0 && vendorCost <= mostVendorCost)) return undefined;
  return readMoney(String(vendorCost));
}

const isPaidByImage = (pricing: Pricing, { images, tokens }: BillableUse): boolean =>
  images > 0 && pricing.image !== undefined && (tokens.imageOut === 0 || priceOf(pricing, 'imageOut') === undefined);

function payImages({ image = '' }: Pricing, { images }: BillableUse, costs: Map<CostClass, Money>): boolean {
  const each = amount(image);
  if (each !== undefined) costs.set('images', each * BigInt(images));
  return each !== undefined;
}

/** Returns `false` if the audio is not paid by its length. */
function payAudio(
  { character, minute }: Pricing,
  { characters = 0, audioSeconds = 0 }: BillableUse,
  costs: Map<CostClass, Money>,
): boolean {
  const perCharacter = characters > 0 ? amount(character) : undefined;
  if (perCharacter !== undefined) costs.set('characters', perCharacter * BigInt(characters));
  const perMinute = audioSeconds > 0 ? amount(minute) : undefined;
  if (perMinute !== undefined) costs.set('audioSeconds', (perMinute * BigInt(audioSeconds)) / 60n);
  return perCharacter !== undefined || perMinute !== undefined;
}

/** A class without its own price has the price of its more general class. */
function priceOf(pricing: Pricing, name: TokenClass): string | undefined {
  const kind = tokenFields[name].prices.find((kind) => pricing[kind] !== undefined);
  return kind === undefined ? undefined : pricing[kind];
}

function payTokens(pricing: Pricing, used: BillableUse, costs: Map<CostClass, Money>): boolean {
  const { tokens, images, characters = 0, audioSeconds = 0 } = used;
  // Without tokens, the cost of images is only known if there is a price per request.
  if (images > 0 && tokens.imageOut + tokens.output === 0) return costs.has('request');
  if (characters + audioSeconds > 0 && Object.values(tokens).every((count) => count === 0)) return costs.has('request');
  let known = true;
  for (const name of tokenClasses) {
    if (tokens[name] === 0) continue;
    const each = amount(priceOf(pricing, name));
    if (each === undefined) known = false;
    else costs.set(name, each * BigInt(tokens[name]));
  }
  return known;
}

function sumOf(costs: ReadonlyMap<CostClass, Money>): Money {
  let sum = 0n;
  for (const each of costs.values()) sum += each;
  return sum;
}

/** Cache of parsed prices. There are few, and every request uses some. */
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
