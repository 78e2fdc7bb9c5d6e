import { dollars, type Html, html } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';

type Prices = CatalogueModel['pricing'];

const unknown = html`<span class="quiet">–</span>`;

/** The price of a million tokens; of an image, for models that make images. */
export const inputPrice = (prices: Prices): Html => tokenPrice(prices, 'prompt');

export const outputPrice = (prices: Prices): Html => {
  const { completion, image } = prices;
  if (!isBilled(image) || isBilled(completion)) return tokenPrice(prices, 'completion');
  return html`<span>${dollars(image)} <span class="quiet small">an image</span></span>`;
};

/** What tokens that the vendor's cache had cost; unknown without a price of their own. */
export const cachedPrice = ({ input_cache_read: price }: Prices): Html =>
  isBilled(price) ? perMillion(price) : unknown;

/** A model that is billed by other units is not free: its tokens have no price. */
function tokenPrice(prices: Prices, kind: 'prompt' | 'completion'): Html {
  const price = prices[kind];
  const hasOtherUnits = ['character', 'image', 'minute', 'search'].some((unit) => isBilled(prices[unit]));
  return price === undefined || Number(price) < 0 || (!isBilled(price) && hasOtherUnits) ? unknown : perMillion(price);
}

const isBilled = (price: string | undefined): price is string => Number(price ?? 0) > 0;

const perMillion = (price: string): Html => html`${dollars(String(Number(price) * 1_000_000))}`;

const whole = new Intl.NumberFormat('en-US');
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** A number of tokens: `131K`, with the exact one as a tooltip. */
export const tokens = (count: number | undefined): Html =>
  count === undefined ? unknown : html`<span title="${whole.format(count)} tokens">${short.format(count)}</span>`;
