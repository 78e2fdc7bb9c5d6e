import { hasRole, type UsagePoint } from '@tallyport/management';
import type { Html } from '@tallyport/pages';
import { groupsOf } from '../analytics/groups.ts';
import { noTotals, sumOf, totalsOf } from '../analytics/totals.ts';
import { cheapestChatModel } from '../keys/callable-model.ts';
import { readWholeHistory } from '../providers/read-whole-history.ts';
import { readKeyNames } from '../screen/key-names.ts';
import { periodIn } from '../screen/period.ts';
import { apiPeriod, apiPeriodBefore, type PeriodPart } from '../screen/period-parts.ts';
import { readSpent } from '../screen/read-spent.ts';
import type { DashboardRequest, DashboardRoute } from '../screen/route.ts';
import type { FirstSteps } from './first-steps.ts';
import { type LastDay, lastDayTiles } from './last-day.ts';
import { readAttention } from './read-attention.ts';
import { firstStepsPage, type OverviewPage, overviewPage } from './view.ts';

export const overviewRoutes: readonly DashboardRoute[] = [
  {
    method: 'get',
    path: '/overview',
    section: 'overview',
    answer: async (request) => ({
      title: 'Overview',
      scripts: ['copy.js', 'live.js'],
      content: () => overview(request),
    }),
  },
];

/** Models and keys of the lists. */
const mostGroups = 5;
const incidentDays = 7;

async function overview(request: DashboardRequest): Promise<Html> {
  if (request.query['only'] === 'figures') return lastDayTiles(await readLastDay(request));
  const [day, models, rest] = await Promise.all([readLastDay(request), readTop(request, 'model'), readRest(request)]);
  const isUsed = isAnswered(day.now) || models.some(isAnswered) || (await wasEverUsed(request));
  if (isUsed) return overviewPage({ ...rest, day, models: groupsOf(models, 'model', String) });
  return firstStepsPage(await readFirstSteps(request));
}

async function readRest(request: DashboardRequest): Promise<Omit<OverviewPage, 'day' | 'models'>> {
  const { ask, account, base, caller } = request;
  const onlyOwn = !hasRole(caller, 'admin');
  const budget = onlyOwn ? undefined : account.budget;
  const [attention, keys, { incidents }, spent] = await Promise.all([
    readAttention(request),
    readTop(request, 'key'),
    readWholeHistory(ask, { days: incidentDays }),
    readSpent(ask, budget ?? { period: 'month' }),
  ]);
  const keyNames = await readKeyNames(
    request,
    keys.flatMap(({ key = '' }) => key),
  );
  return { base, attention, spend: { base, spent, budget, onlyOwn }, incidents, keys: groupsOf(keys, 'key', keyNames) };
}

async function readTop({ ask }: DashboardRequest, by: 'model' | 'key'): Promise<UsagePoint[]> {
  const month = apiPeriod(periodIn({ period: '30d' }, Date.now()));
  return (await ask('readUsageSeries', { ...month, interval: 'period', by, top: mostGroups })).points;
}

async function readLastDay({ ask, base }: DashboardRequest): Promise<LastDay> {
  const period = periodIn({ period: '24h' }, Date.now());
  const [series, latency] = await Promise.all([
    ask('readUsageSeries', {
      ...apiPeriod({ ...period, parts: [...period.before, ...period.parts] }),
      interval: 'hour',
    }),
    ask('readLatency', { ...apiPeriod(period), ...apiPeriodBefore(period), by: 'hour' }),
  ]);
  const points = new Map(series.points.map((point) => [point.at, totalsOf(point)]));
  const latencies = new Map(latency.groups.map((group) => [group.group, group]));
  const hoursOf = (parts: readonly PeriodPart[]) => parts.map(({ at }) => points.get(at) ?? noTotals);
  const hours = hoursOf(period.parts);
  return {
    base,
    hours,
    latencies: period.parts.map(({ group }) => latencies.get(group)),
    now: sumOf(hours),
    before: sumOf(hoursOf(period.before)),
    latency: latency.total,
    latencyBefore: latency.before ?? {},
  };
}

const isAnswered = ({ requests, failed }: Pick<UsagePoint, 'requests' | 'failed'>): boolean => requests > failed;

const longestDays = 400;

/** Asked only if there was nothing in the last month. */
async function wasEverUsed({ ask }: DashboardRequest): Promise<boolean> {
  const from = new Date(Date.now() - (longestDays - 1) * 86_400_000).toISOString().slice(0, 10);
  const { total } = await ask('readUsage', { from, group_by: 'provider' });
  return isAnswered(total);
}

async function readFirstSteps({ ask, api, account, base, caller, publicUrl }: DashboardRequest): Promise<FirstSteps> {
  const [{ keys }, models] = await Promise.all([ask('listKeys', { state: 'working', limit: 1 }), api.listModels()]);
  return {
    base,
    publicUrl,
    model: cheapestChatModel(models.filter(({ available }) => available))?.id,
    hasKey: keys.length > 0,
    hasBudget: account.budget !== undefined,
    isAdmin: hasRole(caller, 'admin'),
    isOperator: caller.operator,
  };
}
