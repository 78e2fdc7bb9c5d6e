import type { DailyHealth, Incident } from '@tallyport/management';
import {
  byDate,
  chooser,
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
import type { OfferStanding } from '../gateway/offer-standing.ts';
import { type ProviderState, providerState, stateBadge } from './provider-state.ts';

export const historyPeriods = [7, 30, 90] as const;

type HistoryPeriod = (typeof historyPeriods)[number];

/** What the pages of providers show. */
export interface ProviderFigures {
  base: string;
  days: HistoryPeriod;
  /** The days of the period, the oldest first. */
  dates: readonly string[];
  history: readonly DailyHealth[];
  incidents: readonly Incident[];
  standings: readonly OfferStanding[];
}

export const providersPage = (page: ProviderFigures): Html =>
  html`${heading({
    title: 'Providers',
    text: 'How the providers did for all accounts of this gateway, and how they do now. Days begin at midnight UTC.',
  })}
  ${periodChooser(page, `${page.base}/providers`)}
  ${table({
    caption: 'Providers',
    columns: ['Provider', 'Now', `Uptime in ${page.days} days`, ...latencyColumns, 'Last error'],
    rows: providersOf(page).map((name) => providerRow(page, name)),
    empty: 'No provider can be called, and none was. Set the key of one, or add a provider key to the account.',
  })}
  ${incidentPart(page.incidents)}`;

export const periodChooser = ({ days }: Pick<ProviderFigures, 'days'>, address: string): Html =>
  html`<div class="choosers">
    ${chooser(
      'Period',
      historyPeriods.map((period) => ({
        text: `${period} days`,
        chosen: period === days,
        href: `${address}?days=${period}`,
      })),
    )}
  </div>`;

const latencyColumns = [
  { title: 'p50', kind: 'number' },
  { title: 'p95', kind: 'number' },
] as const;

/** Providers that were called in the period or can be called now, the busiest state first. */
function providersOf({ history, standings }: ProviderFigures): string[] {
  const callable = standings.filter(({ obstacle }) => obstacle === null).map(({ provider }) => provider);
  return [...new Set([...callable, ...history.map(({ provider }) => provider)])].toSorted();
}

function providerRow({ base, days, dates, history, standings }: ProviderFigures, name: string): HtmlContent[] {
  const own = history.filter(({ provider }) => provider === name);
  const state = providerState(standings.filter(({ provider }) => provider === name));
  return [
    html`<a class="strong" href="${base}/providers/${name}?days=${days}">${name}</a>`,
    html`<div>${stateBadge(state.kind)}<br /><span class="quiet small">${state.text}</span></div>`,
    uptimeCell(own, dates),
    ...latencyCells(own),
    errorCell(state.lastError),
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
    ? html`<div><code>${error.type}</code><br /><span class="quiet small">${moment(error.at)}</span></div>`
    : html`<span class="quiet">none</span>`;

const mostIncidents = 20;

export const incidentPart = (incidents: readonly Incident[]): Html =>
  panel(
    'Incidents',
    table({
      caption: 'Incidents',
      columns: ['Provider', 'From', 'Until', 'Lasted', { title: 'Answered', kind: 'number' }],
      rows: incidents
        .slice(0, mostIncidents)
        .map(({ provider, model, from, to, uptime }) => [
          html`<span class="strong">${provider}</span>${model !== undefined && html`<br /><code>${model}</code>`}`,
          moment(from),
          moment(to),
          lasted(from, to),
          percent(uptime),
        ]),
      empty: 'There was no incident in this period.',
    }),
    `Hours in a row in which a provider answered less than 95 % of its calls${
      incidents.length > mostIncidents ? `; the last ${mostIncidents}` : ''
    }.`,
  );
