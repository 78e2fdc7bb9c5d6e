import {
  byName,
  type Offer,
  oncePer,
  type TokenClass,
  tokenClasses,
  type TokenField,
  tokenFields,
  type ToolClass,
  toolClasses,
  toolFields,
} from '@tallyport/contracts';
import { type Money, readMoney } from './money.ts';
import { offerInTier } from './tier-prices.ts';

/** The prices of an offer as amounts; `undefined` where the catalogue has none, or none that can be read. */
export interface PriceList {
  readonly request: Money | undefined;
  readonly image: Money | undefined;
  readonly character: Money | undefined;
  readonly minute: Money | undefined;
  readonly search: Money | undefined;
  /** A class without its own price has the price of its more general class. */
  readonly tokens: Readonly<Record<TokenClass, Money | undefined>>;
  /** Whether the class has no price of its own, and that of another one may be too low. */
  readonly isLow: Readonly<Record<TokenClass, boolean>>;
  readonly tools: Readonly<Record<ToolClass, Money | undefined>>;
  /** Whether the catalogue names a price of this kind. */
  readonly names: { readonly image: boolean; readonly imageOut: boolean };
}

type PricedOffer = Pick<Offer, 'pricing' | 'priceTiers' | 'tiers'>;

/** What decides which prices of an offer are in force. */
interface PricedUse {
  readonly promptTokens: number;
  /** The service tier that is billed; the standard one when absent. */
  readonly tier: string | undefined;
}

/** The prices in force; those of the standard tier if the offer has none for the tier. */
export function priceListFor(offer: PricedOffer, { promptTokens, tier }: PricedUse): PriceList {
  const { standard, tiers } = listsOf(offer);
  const { base, longer } = (tier === undefined ? undefined : tiers.get(tier)) ?? standard;
  let inForce = base;
  for (const { overInputTokens, list } of longer) if (promptTokens > overInputTokens) inForce = list;
  return inForce;
}

interface PriceLists {
  readonly base: PriceList;
  /** Ascending. */
  readonly longer: readonly { readonly overInputTokens: number; readonly list: PriceList }[];
}

interface OfferLists {
  readonly standard: PriceLists;
  readonly tiers: ReadonlyMap<string, PriceLists>;
}

/** Read once, because every request needs the prices of its offer. */
const listsOf = oncePer((offer: PricedOffer): OfferLists => {
  const tiers = Object.keys(offer.tiers ?? {}).map((name) => [name, readLists(offerInTier(offer, name))] as const);
  return { standard: readLists(offer), tiers: new Map(tiers) };
});

function readLists({ pricing, priceTiers = [] }: PricedOffer): PriceLists {
  let prices = pricing;
  const longer = priceTiers.map(({ overInputTokens, pricing: changed }) => {
    prices = { ...prices, ...changed };
    return { overInputTokens, list: readList(prices) };
  });
  return { base: readList(pricing), longer };
}

function readList(pricing: Offer['pricing']): PriceList {
  const { request, image, character, minute, search } = pricing;
  return {
    request: amount(request),
    image: amount(image),
    character: amount(character),
    minute: amount(minute),
    search: amount(search),
    tokens: byName(tokenClasses, (name) => amount(ownPrice(pricing, name) ?? lowPrice(pricing, name))),
    isLow: byName(tokenClasses, (name) => isLow(pricing, name)),
    tools: byName(toolClasses, (name) => amount(pricing[toolFields[name].price])),
    names: { image: image !== undefined, imageOut: ownPrice(pricing, 'imageOut') !== undefined },
  };
}

const ownPrice = (pricing: Offer['pricing'], name: TokenClass): string | undefined =>
  firstPrice(pricing, tokenFields[name].prices);

function lowPrice(pricing: Offer['pricing'], name: TokenClass): string | undefined {
  const { lowPrices = [] }: TokenField = tokenFields[name];
  return firstPrice(pricing, lowPrices);
}

function isLow(pricing: Offer['pricing'], name: TokenClass): boolean {
  const { medium }: TokenField = tokenFields[name];
  return ownPrice(pricing, name) === undefined && (medium === undefined || pricing[medium] !== undefined);
}

function firstPrice(pricing: Offer['pricing'], kinds: readonly string[]): string | undefined {
  const kind = kinds.find((each) => pricing[each] !== undefined);
  return kind === undefined ? undefined : pricing[kind];
}

const amount = (text: string | undefined): Money | undefined => (text === undefined ? undefined : readMoney(text));
