import { dollars, type Html, html } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';

type Prices = CatalogueModel['pricing'];

const unknown = html`<span class="quiet">–</span>`;

/** The price of a million tokens; of an image, for models that make images. */
export const inputPrice = ({ prompt }: Prices): Html => (prompt === undefined ? unknown : perMillion(prompt));

export const outputPrice = ({ completion, image }: Prices): Html =>
  completion !== undefined
    ? perMillion(completion)
    : image !== undefined
      ? html`<span>${dollars(image)} <span class="quiet small">an image</span></span>`
      : unknown;

const perMillion = (price: string): Html => html`${dollars(String(Number(price) * 1_000_000))}`;

const whole = new Intl.NumberFormat('en-US');
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** A number of tokens: `131K`, with the exact one as a tooltip. */
export const tokens = (count: number | undefined): Html =>
  count === undefined ? unknown : html`<span title="${whole.format(count)} tokens">${short.format(count)}</span>`;
