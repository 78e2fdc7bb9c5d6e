import { countFields, namesOf, type TokenField, tokenClasses, tokenFields, paidOperations } from '@tallyport/contracts';
import type { RequestSummary } from '@tallyport/management';
import { dollars, heading, type Html, html, second, table } from '@tallyport/pages';
import { filterForm } from './filter-form.ts';
import { type Filters, listAddress } from './filters.ts';
import type { KeyText } from './key-text.ts';
import { outcome } from './outcome.ts';
import { duration, whole } from './words.ts';

export interface RequestsPage {
  base: string;
  filters: Filters;
  keys: readonly { id: string; name: string }[];
  projects: readonly { id: string; name: string }[];
  onlyOwn: boolean;
  /** What is wrong with the filters. */
  problem: string | undefined;
  requests: readonly RequestSummary[];
  keyText: KeyText;
  /** Whether the list begins with the newest request. */
  isFirst: boolean;
  /** Whether the list is renewed while it is shown. */
  isLive: boolean;
  nextCursor: string | undefined;
}

export const requestsPage = (page: RequestsPage): Html =>
  html`${heading({
    title: 'Requests',
    text: page.onlyOwn
      ? 'The requests of the keys you created, newest first.'
      : 'All requests of the account, newest first.',
  })}
  ${filterForm(page)} ${page.problem !== undefined && html`<p class="note bad" role="alert">${page.problem}</p>`}
  ${page.problem === undefined && list(page)}`;

/** live.js adds a button above the list, and renews the list. */
const list = (page: RequestsPage): Html => {
  const { base, filters, isFirst, isLive, nextCursor } = page;
  return html`<nav class="pager newer" aria-label="Newer requests">
      <a class="button plain" href="${listAddress(base, filters)}">${isFirst ? 'Newer' : 'Newest'}</a>
    </nav>
    <div class="requests" ${isLive && html`data-live`}>
      ${requestsTable(page)}
      ${
        nextCursor !== undefined &&
        html`<nav class="pager" aria-label="Older requests">
          <a class="button plain" href="${listAddress(base, filters, nextCursor)}">Older</a>
        </nav>`
      }
    </div>`;
};

const requestsTable = ({ requests, nextCursor, ...page }: RequestsPage): Html =>
  table({
    caption: 'Requests',
    columns: [
      'Time',
      'Outcome',
      'Model',
      'Key',
      { title: 'Tokens', kind: 'number' },
      { title: 'Cost', kind: 'number' },
      { title: 'Duration', kind: 'number' },
    ],
    rows: requests.map((request) => row(page, request)),
    empty: emptyText(page.filters, nextCursor),
  });

type RowContext = Pick<RequestsPage, 'base' | 'filters' | 'keyText'>;

const row = ({ base, filters, keyText }: RowContext, request: RequestSummary): readonly Html[] => [
  html`<a class="strong" href="${base}/requests/${request.id}">${second(request.at)}</a>
    <div class="quiet small">${paidOperations[request.operation].title}${request.stream && ', streamed'}</div>`,
  outcome(request),
  html`<div class="breaking">
    <span class="strong">${request.model || request.requestedModel || 'none'}</span>
    <div class="quiet small">${providerText(request)}</div>
  </div>`,
  html`<a class="breaking" href="${listAddress(base, { ...filters, key: request.keyId })}">${keyText(request)}</a>`,
  html`${used(request)}`,
  html`${request.cost === null ? html`<span class="quiet">no price</span>` : dollars(request.cost)}`,
  html`<div>
    ${duration(request.durationMs)}
    ${request.firstByteMs !== undefined && html`<div class="quiet small">first ${duration(request.firstByteMs)}</div>`}
  </div>`,
];

const providerText = ({ provider, cached, ownKey }: RequestSummary): string =>
  provider === undefined ? (cached ? 'from the cache' : 'no provider') : `${provider}${ownKey ? ', own key' : ''}`;

/** Tokens of the prompt and the answer, or what else was counted. */
function used(request: RequestSummary): string {
  const others = namesOf(countFields).flatMap((name) =>
    request[name] > 0 ? `${whole(request[name])} ${countFields[name].title.toLowerCase()}` : [],
  );
  const [prompt, answer] = [tokensOf('prompt', request), tokensOf('answer', request)];
  if (prompt + answer === 0) return others.join(', ') || '0';
  return [`${whole(prompt)} → ${whole(answer)}`, ...others].join(', ');
}

const tokensOf = (part: TokenField['of'], { tokens }: RequestSummary): number =>
  tokenClasses.reduce((sum, name) => (tokenFields[name].of === part ? sum + tokens[name] : sum), 0);

function emptyText(filters: Filters, nextCursor: string | undefined): string {
  if (nextCursor !== undefined) return 'None of the requests examined so far matches. Older ones may.';
  return Object.keys(filters).length > 0
    ? 'No request matches these filters.'
    : 'There are no requests yet. Each one appears here as soon as it has ended.';
}
