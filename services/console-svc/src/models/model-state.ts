import { badge, type Html, html } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';

/** Whether it can be called, or what is missing. */
export function stateOf(model: CatalogueModel): Html {
  if (!model.available) return state(badge('not callable', 'warn'), missing(model));
  return state(badge('callable', 'good'), shortList(namesOf(model.providers.filter(({ available }) => available))));
}

/** One element, because cells of cards place each of theirs beside the other. */
export const state = (mark: Html, more: string): Html =>
  html`<div>${mark}<br /><span class="quiet small">${more}</span></div>`;

const mostNames = 3;

const shortList = (names: readonly string[]): string =>
  names.length <= mostNames
    ? names.join(', ')
    : `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} more`;

/** The providers whose key is missing; another reason in its own words. */
function missing({ providers, unavailable_reason: reason = '' }: CatalogueModel): string {
  const needsKeys = providers.every(({ unavailable_reason: each = '' }) => each.startsWith('set '));
  return needsKeys ? `needs a key for ${shortList(namesOf(providers))}` : reason;
}

const namesOf = (offers: CatalogueModel['providers']): string[] => [
  ...new Set(offers.map(({ providerId }) => providerId)),
];
