import type { MeteredClass } from '@tallyport/sandbox';

type Prices = Readonly<Partial<Record<MeteredClass, string>>>;

/** The prices of a model, as a vendor publishes them. */
export interface ModelPrices {
  /** USD per million tokens. A class without a price is not sold. */
  readonly tokens: Prices;
  /** USD per thousand calls of a tool. */
  readonly calls?: Prices;
  /** The prices of a request with a longer prompt. */
  readonly long?: { readonly above: number; readonly tokens: Prices };
  /** Factors of tiers other than the ordinary one, on all tokens. */
  readonly tiers?: Readonly<Record<string, string>>;
  /** Factors of places, on all tokens. */
  readonly geos?: Readonly<Record<string, string>>;
}

/** The price list of a vendor, by model. `*` has the prices of all others, of vendors that report the cost of each answer. */
export type PriceTable = Readonly<Record<string, ModelPrices>>;

/** Of models that no list here has: made up, so that the cost that is reported is the one that is billed. */
export const madeUpPrices: ModelPrices = { tokens: { input: '1', cache_read: '1', output: '1', reasoning: '1' } };
