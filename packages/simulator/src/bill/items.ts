import { type Metered, type MeteredClass, promptClasses } from '@tallyport/sandbox';
import { product, sum } from './decimal.ts';
import type { ModelPrices, PriceTable } from './price-table.ts';
import { pricesOf } from './prices/price-tables.ts';

/** One class of one answer, and its price. */
export interface BillItem {
  readonly model: string;
  readonly of: MeteredClass;
  readonly tier: string;
  readonly geo: string | undefined;
  readonly count: number;
  /** `undefined` if the vendor's price list does not have it. */
  readonly dollars: string | undefined;
}

export interface Counted {
  readonly metered: Metered;
  /** The model that the request names. */
  readonly model: string;
}

export function itemsOf({ metered, model: asked }: Counted, table: PriceTable): BillItem[] {
  const { tier, geo } = metered;
  return metered.counts.map(({ of, count, model = asked }) => {
    const prices = pricesOf(table, model);
    const price = prices && priceOf({ prices, metered, of });
    return { model, of, tier, geo, count, dollars: price && product(price, count) };
  });
}

/** `undefined` if an item has no price. */
export const totalDollars = (items: readonly Pick<BillItem, 'dollars'>[]): string | undefined =>
  items.some(({ dollars }) => dollars === undefined) ? undefined : sum(...items.map(({ dollars = '0' }) => dollars));

interface Pricing {
  readonly prices: ModelPrices;
  readonly metered: Metered;
  readonly of: MeteredClass;
}

/** USD per million of a class that no client knows. */
const unknownPrice = '10';
const million = '0.000001';
const thousand = '0.001';

/** Batches cost half where the prices name no tiers. */
const factorOf = ({ tiers }: ModelPrices, tier: string): string => tiers?.[tier] ?? (tier === 'batch' ? '0.5' : '1');

/** USD for one. */
function priceOf({ prices, metered: { tier, geo = '', counts }, of }: Pricing): string | undefined {
  const { tokens, calls, long, geos } = prices;
  const perThousand = calls?.[of];
  if (perThousand !== undefined) return product(perThousand, thousand);
  if (of === 'unknown') return product(unknownPrice, million);
  const prompt = counts.filter((each) => promptClasses.has(each.of)).reduce((total, { count }) => total + count, 0);
  const perMillion = (long !== undefined && prompt > long.above ? long.tokens : tokens)[of];
  return perMillion && product(perMillion, million, factorOf(prices, tier), geos?.[geo] ?? '1');
}
