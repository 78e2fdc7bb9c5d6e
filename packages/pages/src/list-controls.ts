import { hidden } from './fields.ts';
import type { FieldValues } from './form/field-spec.ts';
import { type Html, html } from './html.ts';

interface ChoiceLink {
  text: string;
  href: string;
  chosen: boolean;
}

/** Links of which one is chosen. */
export const chooser = (label: string, links: readonly ChoiceLink[]): Html =>
  html`<nav class="chooser" aria-label="${label}">
    ${links.map(({ text, href, chosen }) => html`<a href="${href}" ${chosen && html`aria-current="true"`}>${text}</a>`)}
  </nav>`;

interface Chip {
  /** The name of the filter. */
  name: string;
  value: string;
  /** The page without the filter. */
  without: string;
}

/** The filters of a list, each with a link that removes it; nothing without filters. */
export const chips = (filters: readonly Chip[]): Html | false =>
  filters.length > 0 &&
  html`<ul class="chips" aria-label="Filters">
    ${filters.map(
      ({ name, value, without }) =>
        html`<li>
          ${name} <strong>${value}</strong>
          <a href="${without}" aria-label="Remove the filter ${name} ${value}">Remove</a>
        </li>`,
    )}
  </ul>`;

interface SearchForm {
  /** The page with the list. */
  action: string;
  label: string;
  placeholder: string;
  /** The text that is searched for now. */
  text: string | undefined;
  /** Further parameters of the page. */
  kept: FieldValues;
}

/** A search of a list, as parameter `q` of its page. */
export const searchForm = ({ action, label, placeholder, text, kept }: SearchForm): Html =>
  html`<form class="search" role="search" method="get" action="${action}">
    <input
      type="search"
      name="q"
      aria-label="${label}"
      placeholder="${placeholder}"
      value="${text ?? ''}"
      maxlength="100"
    />
    ${Object.entries(kept).map(([name, value]) => hidden(name, value))} <button class="plain">Search</button>
  </form>`;

interface Pager {
  /** Absent on the first page. */
  first: string | undefined;
  firstText?: string;
  /** Absent on the last page. */
  next: string | undefined;
  nextText?: string;
}

/** Links to the first and to the next part of a list, by default one with the newest first; nothing if it has one part. */
export const pager = ({ first, firstText = 'Newest', next, nextText = 'Older' }: Pager): Html | undefined =>
  first === undefined && next === undefined
    ? undefined
    : html`<nav class="pager" aria-label="Pages">
        ${first !== undefined && html`<a class="button plain" href="${first}">${firstText}</a>`}
        ${next !== undefined && html`<a class="button plain" href="${next}">${nextText}</a>`}
      </nav>`;
