import { type Offer, oncePer, tokenFields } from '@tallyport/contracts';
import { moneyText, readMoney } from './money.ts';
import { typicalPrice } from './typical-price.ts';

type TieredOffer = Pick<Offer, 'pricing' | 'priceTiers' | 'tiers'>;
type Pricing = Offer['pricing'];

/** An offer at the prices of one of its service tiers. What costs by the request or by the use costs the same in each. */
export function offerInTier(offer: TieredOffer, tier: string): TieredOffer {
  const { factor = '1', pricing: exceptions } = offer.tiers?.[tier] ?? {};
  const { pricing, priceTiers } = multipliedPrices(offer, factor);
  return { pricing: { ...pricing, ...exceptions }, priceTiers };
}

/** Multiplies the prices per token, also those of longer prompts. */
export const multipliedPrices = ({ pricing, priceTiers }: TieredOffer, factor: string): Omit<TieredOffer, 'tiers'> => ({
  pricing: multiplied(pricing, factor),
  priceTiers: priceTiers?.map((tier) => ({ ...tier, pricing: multiplied(tier.pricing, factor) })),
});

/** The tier of an offer that costs the most, if it costs more than the standard one. */
export const dearestTier = (offer: Offer): string | undefined =>
  offer.tiers === undefined ? undefined : dearestOf(offer).tier;

const dearestOf = oncePer((offer: Offer): { tier: string | undefined } => {
  let tier: string | undefined;
  let highest = typicalPrice(offer) ?? 0;
  for (const name of Object.keys(offer.tiers ?? {})) {
    const cost = typicalPrice({ ...offer, ...offerInTier(offer, name) }) ?? 0;
    if (cost > highest) [tier, highest] = [name, cost];
  }
  return { tier };
});

/** What a request costs that a batch of the vendor answers. */
export const batchTier = 'batch';

/** The offer with prices of batches: half of the others if the catalogue has none. */
export const offerWithBatches = oncePer((offer: Offer): Offer =>
  offer.tiers?.[batchTier] === undefined
    ? { ...offer, tiers: { ...offer.tiers, [batchTier]: { factor: '0.5' } } }
    : offer,
);

/** The tier whose prices are reserved for a request that asks for `asked`. */
export const reservedTier = (asked: string | null | undefined, offer: Offer): string | undefined =>
  asked === 'auto' ? dearestTier(offer) : tierForAsked(asked, offer);

/** The tier of an offer for the one that a request names; `undefined` if its prices are those of the standard tier. */
export function tierForAsked(asked: string | null | undefined, { tiers }: Pick<Offer, 'tiers'>): string | undefined {
  if (asked == null || tiers === undefined) return undefined;
  if (Object.hasOwn(tiers, asked)) return asked;
  const synonym = synonyms.get(asked);
  return synonym !== undefined && Object.hasOwn(tiers, synonym) ? synonym : undefined;
}

/** OpenAI has taken both for the same tier since 2026-07-30. Others have one of them. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['fast', 'priority'],
  ['priority', 'fast'],
]);

const tokenPrices: ReadonlySet<string> = new Set(
  Object.values(tokenFields).flatMap(({ prices }): readonly string[] => prices),
);
const one = 10n ** 15n;

/** Multiplies the prices per token. */
export function multiplied(pricing: Pricing, factor: string): Pricing {
  const times = readMoney(factor) ?? one;
  const changed = Object.entries(pricing).flatMap(([kind, price]) => {
    const money = tokenPrices.has(kind) ? readMoney(price) : undefined;
    return money === undefined ? [] : [[kind, moneyText((money * times) / one)]];
  });
  return { ...pricing, ...Object.fromEntries(changed) };
}
