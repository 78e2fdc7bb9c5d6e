import { type ErrorCount, hasRole, type UsageDimension, usageDimensions, type UsagePoint } from '@tallyport/management';
import { type Html, mostSeries } from '@tallyport/pages';
import type { DashboardRequest, DashboardRoute } from '../screen/route.ts';
import { readKeyNames } from '../screen/key-names.ts';
import { readProjectNames } from '../screen/project-names.ts';
import type { RequestFilter } from '../screen/request-links.ts';
import { groupsOf, type NameOf } from './groups.ts';
import { apiPeriod, apiPeriodBefore, apiPeriodWithBefore, isPeriodName, type Period, periodOf } from './period.ts';
import { sumOf, type Totals, totalsOf } from './totals.ts';
import { analyticsPage } from './view.ts';

export const analyticsRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/analytics', section: 'analytics', title: 'Analytics', content: analytics },
];

/** Groups that the page shows one by one. */
const mostGroups = 20;

async function analytics(request: DashboardRequest): Promise<Html> {
  const { account, base, caller, query } = request;
  const by = usageDimensions.find((name) => name === query['by']) ?? 'model';
  const name = query['period'] ?? '';
  const period = periodOf(isPeriodName(name) ? name : '30d', Date.now());
  const filter = filterOf(query);
  const usage = await readAll(request, { by, period, filter });
  const names = await readNames(request, { by, filter }, usage.groups.points);
  const [first = ''] = period.parts.map(({ from }) => from.slice(0, 10));
  return analyticsPage({
    base,
    period,
    filter,
    by,
    now: { totals: totalIn(period.parts, usage.series.points), latency: usage.latency.total },
    before: { totals: totalIn(period.before, usage.series.points), latency: usage.latencyBefore?.total },
    groups: groupsOf(usage.groups.points, by, names[by]),
    charted: groupsOf(usage.charted.points, by, names[by]),
    latencyOfParts: usage.latency.groups,
    latencyOfGroups: usage.latencyOfGroups.groups,
    errors: usage.errors.errors.filter(isError),
    onlyOwn: !hasRole(caller, 'admin'),
    filterTitles: titlesOf(filter, names),
    exportHref: `/api/v1/usage/export?${new URLSearchParams({ from: first, account: account.id, ...(filter.key !== undefined && { key: filter.key }), ...(filter.project !== undefined && { project: filter.project }) }).toString()}`,
  });
}

interface AnalyticsQuery {
  by: UsageDimension;
  period: Period;
  filter: RequestFilter;
}

async function readAll({ ask }: DashboardRequest, { by, period, filter }: AnalyticsQuery) {
  const { unit: interval } = period;
  const within = { ...apiPeriod(period), ...filter };
  const before = apiPeriodBefore(period);
  const [series, groups, charted, latency, latencyOfGroups, errors, latencyBefore] = await Promise.all([
    ask('readUsageSeries', { ...apiPeriodWithBefore(period), ...filter, interval }),
    ask('readUsageSeries', { ...within, interval: 'period', by, top: mostGroups }),
    ask('readUsageSeries', { ...within, interval, by, top: mostSeries }),
    ask('readLatency', { ...within, by: interval }),
    ask('readLatency', { ...within, by, top: mostGroups }),
    ask('readErrors', { ...within, by: interval }),
    before && ask('readLatency', { ...before, ...filter, by: 'day' }),
  ]);
  return { series, groups, charted, latency, latencyOfGroups, errors, latencyBefore };
}

const filterOf = (query: DashboardRequest['query']): Pick<RequestFilter, UsageDimension> =>
  Object.fromEntries(usageDimensions.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

type Names = Readonly<Record<UsageDimension, NameOf>>;

async function readNames(
  request: DashboardRequest,
  { by, filter }: Pick<AnalyticsQuery, 'by' | 'filter'>,
  points: readonly UsagePoint[],
): Promise<Names> {
  const keyIds = [filter.key, ...(by === 'key' ? points.map(({ key }) => key) : [])];
  const hasProjects = by === 'project' || filter.project !== undefined;
  const [key, project] = await Promise.all([
    readKeyNames(
      request,
      keyIds.filter((id) => id !== undefined),
    ),
    hasProjects ? readProjectNames(request) : String,
  ]);
  return { model: String, provider: String, key, project };
}

const titlesOf = (filter: Pick<RequestFilter, UsageDimension>, names: Names): Partial<Record<UsageDimension, string>> =>
  Object.fromEntries(usageDimensions.flatMap((name) => (filter[name] ? [[name, names[name](filter[name])]] : [])));

function totalIn(parts: Period['parts'], points: readonly UsagePoint[]): Totals {
  const times = new Set(parts.map(({ at }) => at));
  return sumOf(points.filter(({ at }) => times.has(at)).map(totalsOf));
}

/** A caller who left before the end is no error of the gateway. */
const isError = ({ code }: ErrorCount): boolean => code !== 'client_closed_request';
