import type { Catalogue, Offer } from '@tallyport/contracts';

/** One class of an offer's prices that another price follows. */
export interface PriceChange extends OfferPriceChange {
  model: string;
  provider: string;
}

interface OfferPriceChange {
  /** The moment from which the new price holds. */
  from: string;
  /** `prompt`, `completion`, or `prompt over 200000` for longer prompts. */
  class: string;
  /** USD per unit; absent where the vendor had or has no price of its own for the class. */
  old?: string;
  new?: string;
  source?: string;
}

/** All changes of prices that the catalogue knows, past and future, ascending. */
export const priceChanges = ({ models }: Pick<Catalogue, 'models'>): PriceChange[] =>
  models
    .flatMap(({ id: model, offers }) =>
      offers.flatMap((offer) =>
        priceChangesOf(offer).map((change) => ({ ...change, model, provider: offer.providerId })),
      ),
    )
    .toSorted((left, right) => Date.parse(left.from) - Date.parse(right.from));

/** The changes of one offer, ascending. */
export function priceChangesOf({ priceHistory = [] }: Pick<Offer, 'priceHistory'>): OfferPriceChange[] {
  return priceHistory.flatMap((row, at) => {
    const before = priceHistory[at - 1];
    const { from, source } = row;
    if (before === undefined || from === undefined) return [];
    const [old, now] = [classesOf(before), classesOf(row)];
    return [...new Set([...old.keys(), ...now.keys()])]
      .filter((name) => Number(old.get(name)) !== Number(now.get(name)))
      .map((name) => {
        const [oldPrice, newPrice] = [old.get(name), now.get(name)];
        return {
          from,
          class: name,
          ...(oldPrice !== undefined && { old: oldPrice }),
          ...(newPrice !== undefined && { new: newPrice }),
          ...(source !== undefined && { source }),
        };
      });
  });
}

const classesOf = ({ pricing, priceTiers = [] }: Pick<Offer, 'pricing' | 'priceTiers'>): Map<string, string> =>
  new Map([
    ...Object.entries(pricing),
    ...priceTiers.flatMap((tier) =>
      Object.entries(tier.pricing).map(([kind, price]) => [`${kind} over ${tier.overInputTokens}`, price] as const),
    ),
  ]);
