import { dollars, type Html, html, table } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';

type Offer = CatalogueModel['providers'][number];

/** The day from which the price holds, and where it was read. */
export const priceSince = ({ price_since: since, price_source: source }: Partial<Offer>): Html =>
  since === undefined
    ? html`<span class="quiet">–</span>`
    : html`<span>${since.slice(0, 10)} <span class="quiet small">${source}</span></span>`;

const shownMs = 90 * 86_400_000;

/** The changes of prices of the last 90 days, and those to come; nothing if there are none. */
export function priceChangesPanel({ providers }: Pick<CatalogueModel, 'providers'>, now: number): Html | undefined {
  const changes = providers
    .flatMap(({ providerId, price_changes: all = [] }) => all.map((change) => ({ ...change, providerId })))
    .filter(({ from }) => Date.parse(from) >= now - shownMs)
    .toSorted((left, right) => Date.parse(right.from) - Date.parse(left.from));
  if (changes.length === 0) return undefined;
  return table({
    caption: 'Changes of prices: the last 90 days and what is to come',
    columns: [
      'From',
      'Provider',
      'Price',
      { title: 'Old', kind: 'number' },
      { title: 'New', kind: 'number' },
      'Source',
    ],
    rows: changes.map(({ from, providerId, class: name, old, new: now, source }) => [
      from.slice(0, 16).replace('T00:00', '').replace('T', ' '),
      html`<span class="strong">${providerId}</span>`,
      html`<code>${name}</code>`,
      price(old),
      price(now),
      html`<span class="quiet small">${source}</span>`,
    ]),
    empty: '',
  });
}

/** Prices of tokens are shown per million, as in the table of offers. */
function price(text: string | undefined): Html {
  if (text === undefined) return html`<span class="quiet">–</span>`;
  return Number(text) < 0.001 ? html`${dollars(String(Number(text) * 1_000_000))}` : html`${dollars(text)}`;
}
