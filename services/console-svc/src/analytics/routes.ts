import { type ErrorCount, hasRole, type UsageDimension, usageDimensions, type UsagePoint } from '@tallyport/management';
import { type Html, mostSeries } from '@tallyport/pages';
import type { DashboardRequest, DashboardRoute } from '../screen/route.ts';
import { readKeyNames } from '../screen/key-names.ts';
import { type Period, periodIn } from '../screen/period.ts';
import { apiPeriod, apiPeriodBefore } from '../screen/period-parts.ts';
import { readProjectNames } from '../screen/project-names.ts';
import { readEmails } from '../screen/read-emails.ts';
import { exportAddress, timesOf } from '../screen/request-links.ts';
import { type AnalyticsChoice, type UsageFilter, usageFilters } from './address.ts';
import type { GroupNumbers } from './group-table.ts';
import { groupsOf, type NameOf } from './groups.ts';
import { sumOf, type Totals, totalsOf } from './totals.ts';
import { analyticsPage } from './view.ts';

export const analyticsRoutes: readonly DashboardRoute[] = [
  {
    method: 'get',
    path: '/analytics',
    section: 'analytics',
    answer: async (request) => ({ title: 'Analytics', scripts: ['charts.js'], content: () => analytics(request) }),
  },
];

/** Groups that the page shows one by one. */
const mostGroups = 20;

async function analytics(request: DashboardRequest): Promise<Html> {
  const { account, base, caller, query } = request;
  const choice: AnalyticsChoice = {
    base,
    period: periodIn(query, Date.now()),
    by: usageDimensions.find((name) => name === query['by']) ?? 'model',
    filter: filterOf(query),
    sort: query['sort']?.slice(0, 100),
    columns: query['columns']?.slice(0, 500),
    hasGroupTimes: query['latency'] === 'groups',
    table: query['table'],
  };
  const { period, by, filter } = choice;
  const usage = await readAll(request, choice);
  const names = await readNames(request, choice, usage.groups.points);
  return analyticsPage({
    ...choice,
    now: { totals: totalIn(period.parts, usage.series.points), latency: usage.latency.total },
    before: { totals: totalIn(period.before, usage.series.points), latency: usage.latency.before ?? {} },
    groups: groupsOf(usage.groups.points, by, names[by]),
    groupsBefore: usage.groupsBefore,
    charted: groupsOf(usage.charted.points, by, names[by]),
    latencyOfParts: usage.latency.groups,
    latencyOfGroups: usage.latencyOfGroups.groups,
    latencyOfCharted: usage.latencyOfCharted?.groups ?? [],
    errors: usage.errors.errors.filter(isError),
    onlyOwn: !hasRole(caller, 'admin'),
    since: usage.series.since,
    filterTitles: titlesOf(filter, names),
    exportHref: exportAddress(account.id, { ...timesOf(period), ...filter }),
  });
}

async function readAll({ ask }: DashboardRequest, { by, period, filter, hasGroupTimes }: AnalyticsChoice) {
  const { unit: interval, parts } = period;
  const within = { ...apiPeriod(period), ...filter };
  const before = { ...apiPeriod({ unit: interval, parts: period.before }), ...filter };
  const both = { ...apiPeriod({ unit: interval, parts: [...period.before, ...parts] }), ...filter };
  const groups = ask('readUsageSeries', { ...within, interval: 'period', by, top: mostGroups });
  const [series, charted, latency, latencyOfGroups, latencyOfCharted, errors, groupsBefore] = await Promise.all([
    ask('readUsageSeries', { ...both, interval }),
    ask('readUsageSeries', { ...within, interval, by, top: mostSeries }),
    ask('readLatency', { ...within, ...apiPeriodBefore(period), by: interval }),
    ask('readLatency', { ...within, by, top: mostGroups }),
    hasGroupTimes ? ask('readLatency', { ...within, by, top: mostSeries, interval }) : undefined,
    ask('readErrors', { ...within, by: interval }),
    groups.then(({ points }) => readBefore(ask, { ...before, by }, points)),
  ]);
  return {
    series,
    groups: await groups,
    charted,
    latency,
    latencyOfGroups,
    latencyOfCharted,
    errors,
    groupsBefore,
  };
}

/** The numbers of the same groups in the period before, where others may have had the highest cost. */
async function readBefore(
  ask: DashboardRequest['ask'],
  before: { by: UsageDimension },
  points: readonly UsagePoint[],
): Promise<GroupNumbers> {
  const { by } = before;
  const ids = points.flatMap((point) => point[by] ?? []).filter((id) => !id.includes(','));
  if (ids.length === 0) return { totals: new Map(), latencies: [] };
  const only = ids.join(',');
  const [series, latency] = await Promise.all([
    ask('readUsageSeries', { ...before, interval: 'period', only }),
    ask('readLatency', { ...before, only }),
  ]);
  return {
    totals: new Map(series.points.map((point) => [point[by] ?? '', totalsOf(point)])),
    latencies: latency.groups,
  };
}

const filterOf = (query: DashboardRequest['query']): AnalyticsChoice['filter'] =>
  Object.fromEntries(usageFilters.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

type Names = Readonly<Record<UsageFilter, NameOf>>;

async function readNames(
  request: DashboardRequest,
  { by, filter }: Pick<AnalyticsChoice, 'by' | 'filter'>,
  points: readonly UsagePoint[],
): Promise<Names> {
  const keyIds = [filter.key, ...(by === 'key' ? points.map(({ key }) => key) : [])];
  const hasProjects = by === 'project' || filter.project !== undefined;
  const [key, project, emails] = await Promise.all([
    readKeyNames(
      request,
      keyIds.filter((id) => id !== undefined),
    ),
    hasProjects ? readProjectNames(request) : String,
    filter.member === undefined ? new Map<string, string>() : readEmails(request.ask),
  ]);
  return { model: String, provider: String, key, project, member: (id) => emails.get(id) ?? id, end_user: String };
}

const titlesOf = (filter: AnalyticsChoice['filter'], names: Names): Partial<Record<UsageFilter, string>> =>
  Object.fromEntries(usageFilters.flatMap((name) => (filter[name] ? [[name, names[name](filter[name])]] : [])));

function totalIn(parts: Period['parts'], points: readonly UsagePoint[]): Totals {
  const times = new Set(parts.map(({ at }) => at));
  return sumOf(points.filter(({ at }) => times.has(at)).map(totalsOf));
}

/** A caller who left before the end is no error of the gateway. */
const isError = ({ code }: ErrorCount): boolean => code !== 'client_closed_request';
