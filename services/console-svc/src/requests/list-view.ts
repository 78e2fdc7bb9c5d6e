import type { RequestSummary, RequestSums } from '@tallyport/management';
import { dollars, heading, type Html, html, moment, table } from '@tallyport/pages';
import { columnChooser } from '../screen/column-choice.ts';
import { periodPicker } from '../screen/period-picker.ts';
import { type RowPlace, columnChoices, shownColumns } from './columns.ts';
import { filterChips } from './filter-chips.ts';
import { filterForm } from './filter-form.ts';
import { listAddress, type ListView, parametersOf } from './filters.ts';
import type { NamedKey } from './named-key.ts';
import type { Suggestions } from './suggestions.ts';
import { viewLinks } from './views.ts';
import { whole } from './words.ts';

interface RequestsPage extends RequestList {
  /** The key of the filter. */
  key: NamedKey | undefined;
  /** The text of the field of keys. */
  keyField: string | undefined;
  /** The e-mail address of the member of the filter. */
  member: string | undefined;
  projects: readonly { id: string; name: string }[];
  suggestions: Suggestions;
  onlyOwn: boolean;
  /** What is wrong with the filters. */
  problem: string | undefined;
  /** Of all requests that match; `undefined` if a service of another version cannot count them. */
  sums: RequestSums | undefined;
  /** The address of the requests as CSV. */
  exportHref: string;
}

/** The part of the page that is renewed while it is shown. */
export interface RequestList extends RowPlace {
  requests: readonly RequestSummary[];
  /** Whether the list begins with the newest request. */
  isFirst: boolean;
  /** Whether the list is renewed while it is shown. */
  isLive: boolean;
  nextCursor?: string | undefined;
  /** The time of the oldest request that is sorted, if others are not. */
  sortedSince?: string | undefined;
}

export const requestsPage = (page: RequestsPage): Html => {
  const { base, view, problem } = page;
  return html`${heading({
      title: 'Requests',
      text: page.onlyOwn ? 'The requests of the keys you created.' : 'All requests of the account.',
      action: problem === undefined ? { href: page.exportHref, text: 'Download as CSV' } : undefined,
    })}
    <div class="choosers">
      ${viewLinks(base, view)}
      ${periodPicker({ action: `${base}/requests`, period: view.period, kept: parametersOf(view) })}
    </div>
    ${filterForm({ ...page, keyText: page.keyField })} ${filterChips({ base, view, nameOf: nameIn(page) })}
    ${problem === undefined ? results(page) : html`<p class="note bad" role="alert">${problem}</p>`}`;
};

const nameIn =
  ({ key, projectText, member }: RequestsPage) =>
  (filter: 'key' | 'project' | 'member', id: string): string =>
    filter === 'project' ? (id === 'none' ? 'none' : projectText(id)) : ((filter === 'key' ? key?.name : member) ?? id);

/** live.js adds a button to what is above the list. */
const results = (page: RequestsPage): Html => {
  const { base, view, isFirst, sortedSince } = page;
  return html`<div class="above-list">
      ${page.sums && sumsLine(page.sums)}
      ${sortedSince !== undefined && html`<p class="quiet">${partlySorted(sortedSince)}</p>`}
      ${(view.sort ?? view.columns) !== undefined && html`<p class="quiet">${csvText}</p>`}
      ${columnChooser(columnChoices(base, view))}
      ${!isFirst && html`<a class="button plain" href="${listAddress(base, view)}">${firstText(view)}</a>`}
    </div>
    ${requestList(page)}`;
};

const partlySorted = (since: string): Html =>
  html`Only requests since ${moment(since)} are sorted: 10,000 at most, and fewer where a list has several keys. Choose
  a shorter period or one key to sort more.`;

const csvText = 'The CSV has all requests of the list in this order, with every column.';

const firstText = ({ sort }: ListView): string => (sort === undefined ? 'Newest' : 'First');

/** live.js renews it. */
export const requestList = (list: RequestList): Html => {
  const { base, view, isLive, nextCursor } = list;
  return html`<div class="requests" ${isLive && html`data-live="list"`}>
    ${requestsTable(list)}
    ${
      nextCursor !== undefined &&
      html`<nav class="pager" aria-label="Older requests">
        <a class="button plain" href="${listAddress(base, view, nextCursor)}">Older</a>
      </nav>`
    }
  </div>`;
};

const sumsLine = ({ requests, tokens, cost, since }: RequestSums): Html =>
  html`<p class="sums">
    <strong>${whole(requests)}</strong> ${requests === 1 ? 'request' : 'requests'} ·
    <strong>${whole(tokens)}</strong> tokens · <strong>${dollars(cost)}</strong>
    ${
      since !== undefined &&
      html`<span class="quiet">since ${moment(since)}: choose a shorter period to count all.</span>`
    }
  </p>`;

const requestsTable = ({ requests, ...list }: RequestList): Html => {
  const { base, view } = list;
  const columns = shownColumns(view);
  return table({
    caption: 'Requests',
    isDense: true,
    columns: columns.map(({ title, kind, order }) => ({
      title,
      ...(kind && { kind }),
      ...(order && { order: orderLink(base, view, order) }),
    })),
    rows: requests.map((request) => columns.map(({ cell }) => cell(request, list))),
    empty: emptyText(list),
  });
};

const orderLink = (base: string, view: ListView, order: string) => ({
  href: listAddress(base, { ...view, sort: order === 'time' ? undefined : order }),
  isCurrent: order === (view.sort ?? 'time'),
});

function emptyText({ view: { filters, periodQuery }, nextCursor }: Pick<RequestList, 'view' | 'nextCursor'>): string {
  if (nextCursor !== undefined) return 'None of the requests examined so far matches. Older ones may.';
  return Object.keys({ ...filters, ...periodQuery }).length > 0
    ? 'No request of this period matches. Choose a longer period or fewer filters.'
    : 'There are no requests yet. Each one appears here as soon as it has ended.';
}
