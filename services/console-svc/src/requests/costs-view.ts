import {
  countClasses,
  countFields,
  type CostClass,
  type CountClass,
  type TokenClass,
  tokenClasses,
  tokenFields,
} from '@tallyport/contracts';
import type { RequestRecord } from '@tallyport/management';
import { dollars, type Html, html, panel, table } from '@tallyport/pages';
import { whole, words } from './words.ts';

type Cost = RequestRecord['costs'][number];

/** The counts of each class, multiplied by their prices, and the sum. */
export const costsPanel = (request: RequestRecord): Html =>
  panel('Cost', [
    html`<div class="flush">${costsTable(request)}</div>`,
    html`<p class="sum">
      <span>Total</span> <strong>${request.cost === null ? 'no price' : exact(request.cost)}</strong>
    </p>`,
    html`<p class="small quiet">${notes(request).join(' ')}</p>`,
  ]);

function costsTable(request: RequestRecord): Html {
  const { costs } = request;
  const uncounted = tokenClasses.filter(
    (name) => request.tokens[name] > 0 && costs.every((part) => part.class !== name),
  );
  return table({
    caption: 'Cost',
    columns: [
      'Counted',
      { title: 'Count', kind: 'number' },
      { title: 'Price', kind: 'number' },
      { title: 'Cost', kind: 'number' },
    ],
    rows: [
      ...costs.map((part) => [
        titleOf(part.class),
        part.count === undefined ? 'none' : whole(part.count),
        priceText(part),
        exact(part.cost),
      ]),
      ...uncounted.map((name) => [titleOf(name), whole(request.tokens[name]), 'none', 'none']),
    ],
    empty: 'Nothing was counted.',
  });
}

const answerTitles: Partial<Record<CostClass, string>> = {
  input: 'Prompt tokens',
  cacheRead: 'Prompt tokens from the provider’s cache',
  cacheWrite: 'Prompt tokens written to the provider’s cache',
  output: 'Answer tokens',
  request: 'Per request',
  vendor: 'As the provider reported',
};

const titleOf = (name: CostClass): string => {
  const known = answerTitles[name];
  if (known !== undefined) return known;
  if (isTokenClass(name)) return `${sentence(words(tokenFields[name].name))} tokens`;
  return isCountClass(name) ? countFields[name].title : name;
};

const isTokenClass = (name: CostClass): name is TokenClass => tokenClasses.some((each) => each === name);

const isCountClass = (name: CostClass): name is CountClass => countClasses.some((each) => each === name);

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Prices of tokens are known by the million. */
function priceText({ class: name, price }: Cost): string {
  if (price === undefined) return 'none';
  if (!isTokenClass(name)) return `× ${exact(price)}`;
  return `× $${Number((Number(price) * 1_000_000).toPrecision(8))} per million`;
}

/** All decimal places, because the sum has to be seen to be right. */
const exact = (amount: string): string => `$${amount}`;

function notes({ source, flags, promptCacheSavings, priceVersion, costs, ownKey }: RequestRecord): string[] {
  return [
    ...(source === 'estimated' ? ['The provider reported no usage, so the counts are estimates.'] : []),
    ...(flags.includes('unpriced') ? ['The catalogue has no price for this offer.'] : []),
    ...(flags.includes('off_catalogue')
      ? ['The provider reports another cost than the catalogue has for this usage.']
      : []),
    ...(flags.includes('adjusted') ? ['The provider’s figures were impossible and were bounded.'] : []),
    ...(Number(promptCacheSavings) > 0 ? [`The provider’s prompt cache saved ${dollars(promptCacheSavings)}.`] : []),
    ...(ownKey ? ['The account pays the provider itself: this cost counts towards no budget.'] : []),
    ...(costs.length > 0 ? [`Prices of catalogue ${priceVersion}.`] : []),
  ];
}
