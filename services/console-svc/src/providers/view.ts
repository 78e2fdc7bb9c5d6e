import type { DailyHealth, Incident } from '@tallyport/management';
import {
  byDate,
  heading,
  type Html,
  html,
  type HtmlContent,
  meanUptime,
  lasted,
  moment,
  panel,
  percent,
  table,
  timeUnit,
  uptimeBars,
} from '@tallyport/pages';
import { words } from '../requests/words.ts';
import { requestsAddress } from '../screen/request-links.ts';
import type { Period } from '../screen/period.ts';
import { periodPicker } from '../screen/period-picker.ts';
import type { OfferStanding } from '../gateway/offer-standing.ts';
import { costCells, costColumns, type GroupCosts } from '../usage/group-costs.ts';
import { type ProviderState, providerState, stateBadge } from './provider-state.ts';

/** What the pages of providers show. */
export interface ProviderFigures {
  base: string;
  period: Period;
  /** The days by UTC of the period, the oldest first. */
  dates: readonly string[];
  history: readonly DailyHealth[];
  incidents: readonly Incident[];
  standings: readonly OfferStanding[];
}

interface ProvidersPage extends ProviderFigures {
  /** Of this account; `undefined` if they cannot be read. */
  costs: GroupCosts | undefined;
}

export const providersPage = (page: ProvidersPage): Html =>
  html`${heading({
    title: 'Providers',
    text: 'How the providers did for all accounts of this gateway, and how they do now, with the cost of this account. Days are those of UTC, and the last ninety are known.',
  })}
  ${periodPart(page, `${page.base}/providers`)}
  ${table({
    caption: 'Providers',
    columns: ['Provider', 'Now', 'Uptime by day', ...latencyColumns, 'Last error', ...costColumns],
    rows: providersOf(page).map((name) => providerRow(page, name)),
    empty: 'No provider can be called, and none was. Set the key of one, or add a provider key to the account.',
  })}
  ${incidentPart(page)}`;

export const periodPart = ({ period }: Pick<ProviderFigures, 'period'>, action: string): Html =>
  html`<div class="choosers">${periodPicker({ action, period, kept: {} })}</div>`;

/** The address of a page of providers in the same period. */
export const inPeriod = (address: string, { query }: Period): string =>
  `${address}?${new URLSearchParams(query).toString()}`;

const latencyColumns = [
  { title: 'p50', kind: 'number' },
  { title: 'p95', kind: 'number' },
] as const;

/** Providers that were called in the period or can be called now, the busiest state first. */
export function providersOf({ history, standings }: Pick<ProviderFigures, 'history' | 'standings'>): string[] {
  const callable = standings.filter(({ obstacle }) => obstacle === null).map(({ provider }) => provider);
  return [...new Set([...callable, ...history.map(({ provider }) => provider)])].toSorted();
}

function providerRow({ base, period, dates, history, standings, costs }: ProvidersPage, name: string): HtmlContent[] {
  const own = history.filter(({ provider }) => provider === name);
  const state = providerState(standings.filter(({ provider }) => provider === name));
  return [
    html`<a class="strong" href="${inPeriod(`${base}/providers/${name}`, period)}">${name}</a>`,
    html`<div>${stateBadge(state.kind)}<br /><span class="quiet small breaking">${state.text}</span></div>`,
    uptimeCell(own, dates),
    ...latencyCells(own),
    errorCell(state.lastError),
    ...costCells({ base, by: 'provider', id: name }, costs),
  ];
}

export function uptimeCell(history: readonly DailyHealth[], dates: readonly string[]): Html {
  const days = byDate(history, dates);
  const mean = meanUptime(days);
  const text = mean === undefined ? html`<span class="quiet small">no calls</span>` : percent(mean);
  return html`<div class="uptime-cell">${uptimeBars(days)}<span class="small">${text}</span></div>`;
}

/** Of the last day with answers: percentiles of days cannot be added up. */
export function latencyCells(history: readonly DailyHealth[]): HtmlContent[] {
  const [latest] = history
    .filter(({ p50Ms }) => p50Ms !== undefined)
    .toSorted((one, other) => (one.day < other.day ? 1 : -1));
  return [latest?.p50Ms, latest?.p95Ms].map((value) =>
    value === undefined
      ? html`<span class="quiet">–</span>`
      : html`<span title="On ${latest?.day ?? ''}, UTC">${timeUnit.exact(value)}</span>`,
  );
}

export const errorCell = (error: ProviderState['lastError'] | null): Html =>
  error
    ? html`<div>${words(error.type)}<br /><span class="quiet small">${moment(error.at)}</span></div>`
    : html`<span class="quiet">none</span>`;

const mostIncidents = 20;

/** Each leads to the requests of the account that failed there. */
export const incidentPart = ({ base, incidents }: Pick<ProviderFigures, 'base' | 'incidents'>): Html =>
  panel(
    'Incidents',
    table({
      caption: 'Incidents',
      columns: ['Provider', 'From', 'Until', 'Lasted', { title: 'Answered', kind: 'number' }],
      rows: incidents
        .slice(0, mostIncidents)
        .map(({ provider, model, from, to, uptime }) => [
          html`<a class="strong" href="${requestsAddress(base, { from, to, failed_at: provider, model })}"
              >${provider}</a
            ><br />${model === undefined ? html`<span class="quiet small">all models</span>` : html`<code>${model}</code>`}`,
          moment(from),
          moment(to),
          lasted(from, to),
          percent(uptime),
        ]),
      empty: 'There was no incident in this period.',
    }),
    `Hours in a row in which a provider, or one of its models, answered less than 95 % of its calls; a single failed call does not count${
      incidents.length > mostIncidents ? `; the last ${mostIncidents}` : ''
    }.`,
  );
