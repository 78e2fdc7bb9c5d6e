import type { Offer } from '@tallyport/contracts';
import type { OfferEntry, PriceRow } from '../data-file.ts';

type PricesOfOffer = Pick<Offer, 'pricing' | 'priceTiers' | 'priceSince' | 'priceSource' | 'priceHistory'>;

/** The prices of an offer in force at a time, and all others if there are some. */
export function pricesInForce(offer: OfferEntry, now: number): PricesOfOffer {
  const rows = priceRows(offer);
  const { from = offer.asOf, source, ...prices } = rowInForce(rows, now);
  return {
    ...prices,
    ...(from !== undefined && { priceSince: from }),
    ...(source !== undefined && { priceSource: source }),
    ...(rows.length > 1 && { priceHistory: rows }),
  };
}

/** An entry without dates has one price. */
export function priceRows({ pricing = {}, priceTiers, prices, source }: OfferEntry): PriceRow[] {
  const rows: PriceRow[] = prices ?? [{ pricing, ...(priceTiers && { priceTiers }) }];
  return source === undefined ? rows : rows.map((row) => ({ source, ...row }));
}

/** The last row whose date has passed. Before the first date there is no other price to take than the first. */
function rowInForce([first = { pricing: {} }, ...rows]: readonly PriceRow[], now: number): PriceRow {
  return rows.findLast(({ from = '' }) => Date.parse(from) <= now) ?? first;
}
