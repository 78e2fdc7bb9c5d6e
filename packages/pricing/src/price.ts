import { type CostClass, type Offer, tokenClasses, tokenFields, type Tokens } from '@tallyport/contracts';
import { type Money, readMoney } from './money.ts';
import { type PriceList, priceListFor } from './price-list.ts';

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
  /** The parts of the sum, each class once. */
  readonly costs: readonly CostPart[];
  /** What the tokens read from the provider's prompt cache would have cost more as ordinary input. */
  readonly promptCacheSavings: Money;
}

interface CostPart {
  readonly of: CostClass;
  readonly cost: Money;
}

/** More than any request can cost. Larger vendor costs are ignored. */
const mostVendorCost = 100_000;

/**
 * The cost of a request. A cost reported by the vendor takes precedence. Images are charged by tokens if these were
 * reported and have a price, otherwise per image, never both; audio by the character or the minute if there is such a
 * price, otherwise by tokens.
 */
export function price(offer: Pick<Offer, 'pricing' | 'priceTiers'>, used: BillableUse): Price {
  const vendor = vendorCostOf(used);
  if (vendor !== undefined) return { cost: vendor, costs: [{ of: 'vendor', cost: vendor }], promptCacheSavings: 0n };
  const prices = priceListFor(offer, promptTokensOf(used.tokens));
  const costs: CostPart[] = [];
  if (prices.request !== undefined) costs.push({ of: 'request', cost: prices.request });
  const known =
    payAudio(prices, used, costs) ||
    (isPaidByImage(prices, used) ? payImages(prices, used, costs) : payTokens(prices, used, costs));
  const cost = known ? sumOf(costs) : undefined;
  return { cost, costs, promptCacheSavings: savedByCache(prices, used.tokens, costs) };
}

function savedByCache({ tokens: each }: PriceList, { cacheRead }: Tokens, costs: readonly CostPart[]): Money {
  if (cacheRead === 0 || !costs.some(({ of }) => of === 'cacheRead')) return 0n;
  const { input: full = 0n, cacheRead: cached = 0n } = each;
  return full > cached ? (full - cached) * BigInt(cacheRead) : 0n;
}

const promptClasses = tokenClasses.filter((name) => tokenFields[name].of === 'prompt');

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

/** Returns `false` if the audio is not paid by its length. */
function payAudio(
  { character, minute }: PriceList,
  { characters = 0, audioSeconds = 0 }: BillableUse,
  costs: CostPart[],
): boolean {
  const isByCharacter = characters > 0 && character !== undefined;
  if (isByCharacter) costs.push({ of: 'characters', cost: character * BigInt(characters) });
  const isByMinute = audioSeconds > 0 && minute !== undefined;
  if (isByMinute) costs.push({ of: 'audioSeconds', cost: (minute * BigInt(audioSeconds)) / 60n });
  return isByCharacter || isByMinute;
}

function payTokens({ request, tokens: prices }: PriceList, used: BillableUse, costs: CostPart[]): boolean {
  const { tokens, images, characters = 0, audioSeconds = 0 } = used;
  // Without tokens, the cost of images is only known if there is a price per request.
  if (images > 0 && tokens.imageOut + tokens.output === 0) return request !== undefined;
  if (characters + audioSeconds > 0 && Object.values(tokens).every((count) => count === 0))
    return request !== undefined;
  let known = true;
  for (const name of tokenClasses) {
    const count = tokens[name];
    if (count === 0) continue;
    const each = prices[name];
    if (each === undefined) known = false;
    else costs.push({ of: name, cost: each * BigInt(count) });
  }
  return known;
}

function sumOf(costs: readonly CostPart[]): Money {
  let sum = 0n;
  for (const { cost } of costs) sum += cost;
  return sum;
}
