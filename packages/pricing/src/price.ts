import {
  type CostClass,
  type Offer,
  type TokenClass,
  tokenClasses,
  tokenFields,
  type Tokens,
} from '@tallyport/contracts';
import { type Money, readMoney } from './money.ts';
import type { CostPart } from './cost-part.ts';
import { type OtherModelCost, payOtherModels, payTools } from './pay-others.ts';
import { type PriceList, priceListFor } from './price-list.ts';
import { isUnpricedPlace, offerInPlace } from './place-prices.ts';
import { relatedOffer } from './related-offers.ts';
import { type CountedTokens, tokensOfChat } from './tokens.ts';

/** The billable usage of a request. */
export interface BillableUse extends Omit<CountedTokens, 'adjusted'> {
  readonly images: number;
  /** Of text read aloud. */
  readonly characters?: number;
  readonly audioSeconds?: number;
  /** The cost in USD that the vendor reports. */
  readonly vendorCost?: number | undefined;
  /** The service tier that is billed; the standard one when absent. */
  readonly tier?: string | undefined;
}

export interface Price {
  /** `undefined` if the catalogue lacks a price for something that was used. */
  readonly cost: Money | undefined;
  /** The parts of the sum, each class once. */
  readonly costs: readonly CostPart[];
  /** What the tokens read from the provider's prompt cache would have cost more as ordinary input. */
  readonly promptCacheSavings: Money;
  /** What the tokens written to it cost more than ordinary input. */
  readonly promptCacheSurcharge: Money;
  /** Names of what was used and has no price of its own. The cost may be wrong by it. */
  readonly unpriced: readonly string[];
  /** What the catalogue says about a cost that the vendor reports, if it has a price for all of it. */
  readonly catalogueCost?: Money | undefined;
}

type PricedOffer = Pick<Offer, 'pricing' | 'priceTiers' | 'tiers' | 'geos'>;

/** More than any request can cost. Larger vendor costs are ignored. */
const mostVendorCost = 100_000;

/**
 * The cost of a request. A cost reported by the vendor takes precedence. Images are charged by tokens if these were
 * reported and have a price, otherwise per image, never both; audio by the character or the minute, and rankings by the
 * search, if there is such a price, otherwise by tokens.
 */
export function price(offer: PricedOffer, used: BillableUse): Price {
  const vendor = vendorCostOf(used);
  if (vendor !== undefined)
    return {
      cost: vendor,
      costs: [{ of: 'vendor', cost: vendor }],
      promptCacheSavings: 0n,
      promptCacheSurcharge: 0n,
      unpriced: [],
      catalogueCost: catalogueCost(offer, used),
    };
  const { tier, geo } = used;
  const prices = priceListFor(geo === undefined ? offer : offerInPlace(offer, geo), {
    promptTokens: promptTokensOf(used.tokens),
    tier,
  });
  const costs: CostPart[] = [];
  if (prices.request !== undefined) costs.push({ of: 'request', cost: prices.request });
  const known =
    payUnits(prices, used, costs) ||
    (isPaidByImage(prices, used) ? payImages(prices, used, costs) : payTokens(prices, used, costs));
  const unpriced = payTools(prices, used, costs);
  if (used.otherModels !== undefined) unpriced.push(...payOtherModels(costsOfOthers(offer, used), costs));
  if (geo !== undefined && isUnpricedPlace(offer, geo)) unpriced.push(`inference_geo.${geo}`);
  if (!isPricedTier(offer, tier)) unpriced.push(`service_tier:${tier}`);
  const cost = known ? sumOf(costs) : undefined;
  return {
    cost,
    costs,
    promptCacheSavings: savedByCache(prices, used.tokens, costs),
    promptCacheSurcharge: surchargeOfWrites(prices, used.tokens, costs),
    unpriced,
  };
}

function catalogueCost(offer: PricedOffer, used: BillableUse): Money | undefined {
  const { cost, unpriced } = price(offer, { ...used, vendorCost: undefined });
  return unpriced.length === 0 ? cost : undefined;
}

/** More than a twentieth of what the catalogue says, in either direction: one of both is wrong. */
export function isOffCatalogue({ cost, catalogueCost: expected }: Price): boolean {
  if (cost === undefined || expected === undefined) return false;
  const difference = cost > expected ? cost - expected : expected - cost;
  return difference * 20n > expected;
}

/** Where it is not, the prices of the standard tier were taken. */
const isPricedTier = ({ tiers }: Pick<Offer, 'tiers'>, tier: string | undefined): boolean =>
  tier === undefined || (tiers !== undefined && Object.hasOwn(tiers, tier));

const costsOfOthers = (offer: PricedOffer, { otherModels = [] }: BillableUse): OtherModelCost[] =>
  otherModels.map(({ for: purpose, model, usage }) => {
    const other = model === undefined ? undefined : relatedOffer(offer, model);
    const paid = other && price(other, { ...tokensOfChat(usage), images: 0 });
    if (paid?.cost === undefined) return { for: purpose, costs: [], unpriced: [purpose] };
    return { for: purpose, costs: paid.costs, unpriced: paid.unpriced.map((name) => `${purpose}.${name}`) };
  });

/** Tokens from a cache, and what they are without one. */
const cacheReads = [
  { read: 'cacheRead', full: 'input' },
  { read: 'audioCacheRead', full: 'audioIn' },
  { read: 'imageCacheRead', full: 'imageIn' },
] as const satisfies readonly { read: TokenClass; full: TokenClass }[];

function savedByCache({ tokens: prices }: PriceList, tokens: Tokens, costs: readonly CostPart[]): Money {
  let sum = 0n;
  for (const { read, full } of cacheReads) {
    if (tokens[read] === 0 || !costs.some(({ of }) => of === read)) continue;
    const each = (prices[full] ?? 0n) - (prices[read] ?? 0n);
    if (each > 0n) sum += each * BigInt(tokens[read]);
  }
  return sum;
}

function surchargeOfWrites({ tokens: { input } }: PriceList, tokens: Tokens, costs: readonly CostPart[]): Money {
  let sum = 0n;
  for (const { of, cost } of costs) {
    if (input === undefined || !isCacheWrite(of)) continue;
    const plain = input * BigInt(tokens[of]);
    if (cost > plain) sum += cost - plain;
  }
  return sum;
}

/** Those of all lifetimes. */
const isCacheWrite = (of: CostClass): of is TokenClass => of.startsWith('cacheWrite');

/** What the vendor compares with the limits of its prices: the model's own prompt. */
const promptClasses = tokenClasses.filter(
  (name) => tokenFields[name].of === 'prompt' && tokenFields[name].prices.length > 0 && name !== 'compactionIn',
);

function promptTokensOf(tokens: Tokens): number {
  let sum = 0;
  for (const name of promptClasses) sum += tokens[name];
  return sum;
}

/** Whether a cost reported by a vendor is implausible. */
export const isAbsurdCost = ({ vendorCost }: Pick<BillableUse, 'vendorCost'>): boolean =>
  vendorCost !== undefined && vendorCostOf({ vendorCost }) === undefined;

function vendorCostOf({ vendorCost }: Pick<BillableUse, 'vendorCost'>): Money | undefined {
  if (vendorCost === undefined || !(vendorCost >= 0 && vendorCost <= mostVendorCost)) return undefined;
  return readMoney(String(vendorCost));
}

const isPaidByImage = ({ names }: PriceList, { images, tokens }: BillableUse): boolean =>
  images > 0 && names.image && (tokens.imageOut === 0 || !names.imageOut);

function payImages({ image }: PriceList, { images }: BillableUse, costs: CostPart[]): boolean {
  if (image !== undefined) costs.push({ of: 'images', cost: image * BigInt(images) });
  return image !== undefined;
}

/** Returns `false` if nothing is paid by the length of audio or by the search. */
function payUnits(
  { character, minute, search }: PriceList,
  { characters = 0, audioSeconds = 0, searchUnits = 0 }: BillableUse,
  costs: CostPart[],
): boolean {
  const isByCharacter = characters > 0 && character !== undefined;
  if (isByCharacter) costs.push({ of: 'characters', cost: character * BigInt(characters) });
  const isByMinute = audioSeconds > 0 && minute !== undefined;
  if (isByMinute) costs.push({ of: 'audioSeconds', cost: (minute * BigInt(audioSeconds)) / 60n });
  const isBySearch = searchUnits > 0 && search !== undefined;
  if (isBySearch) costs.push({ of: 'searchUnits', cost: search * BigInt(searchUnits) });
  return isByCharacter || isByMinute || isBySearch;
}

function payTokens({ request, tokens: prices }: PriceList, used: BillableUse, costs: CostPart[]): boolean {
  const { tokens, images, characters = 0, audioSeconds = 0, searchUnits = 0 } = used;
  // Without tokens, the cost of images is only known if there is a price per request.
  if (images > 0 && tokens.imageOut + tokens.output === 0) return request !== undefined;
  if (characters + audioSeconds + searchUnits > 0 && Object.values(tokens).every((count) => count === 0))
    return request !== undefined;
  let known = true;
  for (const name of ownClasses) {
    const count = tokens[name];
    if (count === 0) continue;
    const each = prices[name];
    if (each === undefined) known = false;
    else costs.push({ of: name, cost: each * BigInt(count) });
  }
  return known;
}

/** Of the model itself. */
const ownClasses = tokenClasses.filter((name) => tokenFields[name].prices.length > 0);

function sumOf(costs: readonly CostPart[]): Money {
  let sum = 0n;
  for (const { cost } of costs) sum += cost;
  return sum;
}
