import { byName, type Offer, oncePer, type TokenClass, tokenClasses, tokenFields } from '@tallyport/contracts';
import { type Money, readMoney } from './money.ts';

/** The prices of an offer as amounts; `undefined` where the catalogue has none, or none that can be read. */
export interface PriceList {
  readonly request: Money | undefined;
  readonly image: Money | undefined;
  readonly character: Money | undefined;
  readonly minute: Money | undefined;
  /** A class without its own price has the price of its more general class. */
  readonly tokens: Readonly<Record<TokenClass, Money | undefined>>;
  /** Whether the catalogue names a price of this kind. */
  readonly names: { readonly image: boolean; readonly imageOut: boolean };
}

type PricedOffer = Pick<Offer, 'pricing' | 'priceTiers'>;

/** The prices in force for a prompt of this many tokens. */
export function priceListFor(offer: PricedOffer, promptTokens: number): PriceList {
  const { base, tiers } = listsOf(offer);
  let inForce = base;
  for (const { overInputTokens, list } of tiers) if (promptTokens > overInputTokens) inForce = list;
  return inForce;
}

interface PriceLists {
  readonly base: PriceList;
  /** Ascending. */
  readonly tiers: readonly { readonly overInputTokens: number; readonly list: PriceList }[];
}

/** Read once, because every request needs the prices of its offer. */
const listsOf = oncePer(readLists);

function readLists({ pricing, priceTiers = [] }: PricedOffer): PriceLists {
  let prices = pricing;
  const tiers = priceTiers.map(({ overInputTokens, pricing: changed }) => {
    prices = { ...prices, ...changed };
    return { overInputTokens, list: readList(prices) };
  });
  return { base: readList(pricing), tiers };
}

function readList(pricing: Offer['pricing']): PriceList {
  const { request, image, character, minute } = pricing;
  return {
    request: amount(request),
    image: amount(image),
    character: amount(character),
    minute: amount(minute),
    tokens: byName(tokenClasses, (name) => amount(priceOf(pricing, name))),
    names: { image: image !== undefined, imageOut: priceOf(pricing, 'imageOut') !== undefined },
  };
}

function priceOf(pricing: Offer['pricing'], name: TokenClass): string | undefined {
  const kind = tokenFields[name].prices.find((each) => pricing[each] !== undefined);
  return kind === undefined ? undefined : pricing[kind];
}

const amount = (text: string | undefined): Money | undefined => (text === undefined ? undefined : readMoney(text));
