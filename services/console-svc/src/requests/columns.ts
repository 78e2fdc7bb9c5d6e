import { countFields, namesOf, paidOperations } from '@tallyport/contracts';
import type { RequestOrder, RequestSummary } from '@tallyport/management';
import { dollars, type Html, html, type HtmlContent, viewed } from '@tallyport/pages';
import { tokensOf } from '../analytics/totals.ts';
import { type ColumnChoice, columnLinks, shownOf } from '../screen/column-choice.ts';
import { type FilterName, listAddress, type ListView } from './filters.ts';
import type { KeyText } from './key-text.ts';
import { outcome } from './outcome.ts';
import { duration, whole } from './words.ts';

/** What cells need beside their request. */
export interface RowPlace {
  base: string;
  view: ListView;
  keyText: KeyText;
  projectText(id: string): string;
}

interface RequestColumn {
  title: string;
  kind?: 'number';
  /** Shown unless the address names columns. */
  isUsual?: true;
  /** The order of the API that the head of the column chooses. */
  order?: RequestOrder;
  cell(request: RequestSummary, place: RowPlace): HtmlContent;
}

/** The columns of the list, in their order. The first one is always shown, because it leads to the request. */
export const requestColumns = {
  time: {
    title: 'Time',
    isUsual: true,
    order: 'time',
    cell: (request, { base }) => html`<a class="strong" href="${base}/requests/${request.id}">${time(request.at)}</a>`,
  },
  outcome: { title: 'Outcome', isUsual: true, cell: outcome },
  model: {
    title: 'Model',
    isUsual: true,
    cell: (request, place) =>
      filterLink(place, 'model', { value: request.model }) ?? cut(request.requestedModel || 'none'),
  },
  provider: {
    title: 'Provider',
    isUsual: true,
    cell: ({ provider, cached }, place) =>
      filterLink(place, 'provider', { value: provider }) ?? quiet(cached ? 'cache' : 'none'),
  },
  key: {
    title: 'Key',
    isUsual: true,
    cell: (request, place) => filterLink(place, 'key', { value: request.keyId, text: place.keyText(request) }),
  },
  project: {
    title: 'Project',
    cell: ({ projectId }, place) =>
      filterLink(place, 'project', { value: projectId, text: place.projectText(projectId ?? '') }) ?? quiet('none'),
  },
  end_user: {
    title: 'End user',
    cell: ({ endUser }, place) => filterLink(place, 'end_user', { value: endUser }) ?? quiet('none'),
  },
  operation: {
    title: 'Operation',
    cell: ({ operation, stream }) => cut(`${paidOperations[operation].title}${stream ? ', streamed' : ''}`),
  },
  attempts: { title: 'Attempts', kind: 'number', cell: ({ attemptCount }) => whole(attemptCount) },
  tokens: { title: 'Tokens', kind: 'number', isUsual: true, order: 'tokens', cell: used },
  cost: {
    title: 'Cost',
    kind: 'number',
    isUsual: true,
    order: 'cost',
    cell: ({ cost }) => (cost === null ? quiet('no price') : dollars(cost)),
  },
  duration: {
    title: 'Duration',
    kind: 'number',
    isUsual: true,
    order: 'duration',
    cell: ({ durationMs }) => duration(durationMs),
  },
  first_byte: {
    title: 'First content',
    kind: 'number',
    order: 'first_byte',
    cell: ({ firstByteMs }) => (firstByteMs === undefined ? quiet('–') : duration(firstByteMs)),
  },
  id: { title: 'Request id', cell: ({ requestId }) => cut(requestId) },
} as const satisfies Record<string, RequestColumn>;

type NamedColumn = RequestColumn & { key: string };

const allColumns = namesOf(requestColumns).map((key): NamedColumn => ({ key, ...requestColumns[key] }));

const choiceOf = ({ columns }: ListView): ColumnChoice<NamedColumn> => ({
  all: allColumns,
  named: columns === undefined ? undefined : `time.${columns}`,
});

export const shownColumns = (view: ListView): readonly NamedColumn[] => shownOf(choiceOf(view));

/** The columns to choose, each with the address that shows or hides it. */
export const columnChoices = (base: string, view: ListView) =>
  columnLinks(choiceOf(view), (columns) => listAddress(base, { ...view, columns })).slice(1);

/** The zone is that of the page, which the menu names. */
const time = (iso: string): Html =>
  viewed(
    (viewer) =>
      html`<time datetime="${iso}" title="${viewer.second(iso)}">${viewer.second(iso).replace(/ UTC\S*$/, '')}</time>`,
  );

const quiet = (text: string): Html => html`<span class="quiet">${text}</span>`;

/** A text of any length. */
const cut = (text: string): Html => html`<span class="cut" title="${text}">${text}</span>`;

interface FilterValue {
  value: string | undefined;
  /** The name of the value. */
  text?: string;
}

/** A link that also filters by the value; `undefined` without a value. */
function filterLink(
  { base, view }: RowPlace,
  name: FilterName,
  { value, text = value }: FilterValue,
): Html | undefined {
  if (!value || !text) return undefined;
  const href = listAddress(base, { ...view, filters: { ...view.filters, [name]: value } });
  return html`<a class="cut" href="${href}" title="${text}">${text}</a>`;
}

/** Tokens of the prompt and the answer, or what else was counted. */
function used({ tokens, ...request }: RequestSummary): string {
  const others = namesOf(countFields).flatMap((name) =>
    request[name] > 0 ? `${whole(request[name])} ${countFields[name].title.toLowerCase()}` : [],
  );
  const [prompt, answer] = [tokensOf('prompt', tokens), tokensOf('answer', tokens)];
  if (prompt + answer === 0) return others.join(', ') || '0';
  return [`${whole(prompt)} → ${whole(answer)}`, ...others].join(', ');
}
