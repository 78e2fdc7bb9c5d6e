import type { EndUserSums, EndUserUsage } from '@tallyport/management';
import {
  countUnit,
  dollars,
  heading,
  type Html,
  html,
  type HtmlContent,
  meter,
  mostSeries,
  table,
} from '@tallyport/pages';
import { usageChart, usageCharts } from '../analytics/charts.ts';
import { figureCell } from '../analytics/figure-cell.ts';
import { type Figure, mainFigures } from '../analytics/figures.ts';
import { groupingChooser } from '../analytics/grouping-chooser.ts';
import type { UsageGroup } from '../analytics/groups.ts';
import { noTotals, shareOf, sumOf, type Totals } from '../analytics/totals.ts';
import type { PeriodPart } from '../screen/period-parts.ts';
import type { Period } from '../screen/period.ts';
import { periodPicker } from '../screen/period-picker.ts';
import { budgetHolderAddress, budgetText } from '../screen/budget-text.ts';
import { requestsAddress, timesOf } from '../screen/request-links.ts';
import { endUserAddress } from './end-user-page.ts';

type EndUserList = Pick<EndUsersPage, 'endUsers' | 'others'>;

interface EndUsersPage {
  base: string;
  period: Period;
  /** The days by UTC of which the sums are. */
  from: string;
  to: string;
  endUsers: readonly EndUserUsage[];
  others: EndUserSums;
  /** The list of the period before. */
  before: EndUserList;
  /** The list of today by UTC. */
  today: EndUserList;
  /** The days of the charts. */
  days: readonly PeriodPart[];
  /** The chart that is shown as a table as well. */
  table: string | undefined;
  mayErase: boolean;
}

export function endUsersPage(page: EndUsersPage): Html {
  const { base, period, from, to, endUsers, others, today, mayErase } = page;
  return html`${heading({
      title: 'End users',
      text: `Those that requests named with the header x-end-user or the member user, by cost, from ${from} to ${to} (UTC).`,
      back: { href: `${base}/analytics`, text: 'Analytics' },
      ...(mayErase && { action: { href: `${base}/end-users/erase`, text: 'Erase a name' } }),
    })}
    <div class="choosers">
      ${periodPicker({ action: `${base}/end-users`, period, kept: {} })}
      ${groupingChooser({ base, period, chosen: 'end_user', hasEndUsers: true }, (by) => analyticsOf(base, period, by))}
    </div>
    ${charts(page)}
    ${table({
      caption: 'End users',
      columns: [
        'End user',
        ...columns.map(({ title }) => ({ title, kind: 'number' }) as const),
        { title: 'Today', kind: 'number' },
        'Budget with the least left',
      ],
      rows: [
        ...endUsers.map((endUser) => [
          html`<a class="strong" href="${endUserAddress(base, endUser.endUser)}">${endUser.endUser}</a>`,
          ...columns.map((column) => cell(page, column, endUser)),
          costToday(endUser.endUser, today),
          budgetPart(base, endUser.budget),
        ]),
        ...(others.requests > 0
          ? [
              [
                html`<span class="quiet">other end users</span>`,
                ...columns.map((column) => figure(column, others)),
                '',
                '',
              ],
            ]
          : []),
      ],
      empty: 'No request of this period named an end user.',
    })}`;
}

const analyticsOf = (base: string, { query }: Period, by: string): string =>
  `${base}/analytics?${new URLSearchParams({ ...query, by }).toString()}`;

/** Those of the highest cost by day, with links to their requests. */
function charts({ base, period, days, table: shown, endUsers }: EndUsersPage): Html | false {
  const groups = endUsers.slice(0, mostSeries).map(groupOf);
  const tableAddress = (title: string) =>
    `${base}/end-users?${new URLSearchParams({ ...period.query, table: title }).toString()}`;
  const place = { base, by: 'end_user', filter: {}, table: shown, tableAddress } as const;
  const ofDays = { ...place, period: { ...period, unit: 'day', parts: days } } as const;
  return (
    groups.length > 0 &&
    html`<div class="charts">${usageCharts.map((chart) => usageChart(ofDays, groups, chart))}</div>
      ${endUsers.length > mostSeries && html`<p class="quiet small">The charts have those of the highest cost.</p>`}`
  );
}

function groupOf({ endUser, days = [] }: EndUserUsage): UsageGroup {
  const parts = new Map(days.map((day) => [`${day.day}T00:00:00Z`, totalsOfEndUser(day)]));
  return { id: endUser, title: endUser, total: sumOf([...parts.values()]), parts };
}

/** Tokens of prompts and answers are added up together. */
const totalsOfEndUser = ({ cost, requests, failed, tokens }: EndUserSums): Totals => ({
  ...noTotals,
  cost: Number(cost),
  requests,
  failed,
  tokensIn: tokens,
});

interface Column extends Omit<Figure, 'of'> {
  of(sums: EndUserSums): number | undefined;
}

/** As in Analytics. */
const columns: readonly Column[] = [
  { ...mainFigures.cost, of: ({ cost }) => Number(cost) },
  { ...mainFigures.requests, of: ({ requests }) => requests },
  { ...mainFigures.failed, of: ({ failed, requests }) => shareOf(failed, requests) ?? 0 },
  { ...mainFigures.p95, of: ({ p95Ms }) => p95Ms },
  { key: 'tokens', title: 'Tokens', unit: countUnit, growth: 'neutral', of: ({ tokens }) => tokens },
];

/** Compared with the same end user in the days before. */
function cell({ base, period, days, before }: EndUsersPage, column: Column, endUser: EndUserUsage): HtmlContent {
  const then = sumsIn(before, endUser.endUser);
  const times = timesOf({ from: days[0]?.from ?? '', to: days.at(-1)?.to ?? '', isOpen: period.isOpen });
  return figureCell(column, {
    now: column.of(endUser),
    before: then && column.of(then),
    totals: totalsOfEndUser(endUser),
    href: requestsAddress(base, { ...times, end_user: endUser.endUser, outcome: column.outcome }),
  });
}

const figure = (column: Column, sums: EndUserSums): HtmlContent =>
  figureCell(column, { now: column.of(sums), before: undefined, totals: totalsOfEndUser(sums), href: undefined });

function costToday(name: string, today: EndUserList): HtmlContent {
  const sums = sumsIn(today, name);
  return sums === undefined ? html`<span class="quiet">–</span>` : dollars(sums.cost);
}

/** The sums of an end user in another list; `undefined` if it may be beyond those that the list has one by one. */
function sumsIn({ endUsers, others }: EndUserList, name: string): EndUserSums | undefined {
  const found = endUsers.find(({ endUser }) => endUser === name);
  const isWhole = endUsers.length < longestList && others.requests === 0;
  return found ?? (isWhole ? noSums : undefined);
}

/** As many as the API lists. */
const longestList = 100;

const noSums: EndUserSums = { requests: 0, failed: 0, tokens: 0, cost: '0', ownKeyCost: '0' };

function budgetPart(base: string, budget: EndUserUsage['budget']): HtmlContent {
  if (budget === undefined) return html`<span class="quiet">none</span>`;
  const { scope, id, name, amount, period, spent, left } = budget;
  const part = Number(amount) > 0 ? Number(spent) / Number(amount) : 1;
  return html`<div class="spent">
    <span
      ><span class="strong">${dollars(left)}</span>
      <span class="quiet"
        >left of ${budgetText({ amount, period })} of
        <a href="${budgetHolderAddress(base, { scope, id })}">${name}</a></span
      ></span
    >
    ${meter(part)}
  </div>`;
}
