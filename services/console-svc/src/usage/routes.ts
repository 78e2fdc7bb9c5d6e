import { hasRole } from '@switchyard/management';
import { type UsageGrouping, usageGroupings, usagePage, usagePeriods } from './view.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

export const usageRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/usage', section: 'usage', answer: showUsage },
];

const dayMs = 86_400_000;

async function showUsage({ ask, account, base, caller, query }: DashboardRequest): Promise<DashboardResponse> {
  const days = usagePeriods.find((period) => String(period) === query['days']) ?? 30;
  const grouping = groupingOf(query['by']);
  const dates = lastDays(days, Date.now());
  const from = dates[0];
  const [byDay, byGroup] = [
    await ask('readUsage', { from, group_by: 'day' }),
    await ask('readUsage', { from, group_by: grouping }),
  ];
  const sumsOfDay = new Map(byDay.groups.map(({ group, ...sums }) => [group, sums]));
  const names = grouping === 'key' ? await keyNames(ask) : new Map<string, string>();
  const body = usagePage({
    base,
    days,
    grouping,
    total: byDay.total,
    onlyOwn: !hasRole(caller, 'admin'),
    exportHref: `/api/v1/usage/export?${new URLSearchParams({ from: from ?? '', account: account.id }).toString()}`,
    byDay: dates.map((day) => ({ day, sums: sumsOfDay.get(day) })),
    groups: byGroup.groups.map(({ group, ...sums }) => ({ name: names.get(group) ?? group, sums })),
  });
  return { title: 'Usage', body };
}

const groupingOf = (text = ''): UsageGrouping =>
  Object.hasOwn(usageGroupings, text) ? (text as UsageGrouping) : 'model';

/** The last days by UTC, including today. */
const lastDays = (count: number, now: number): string[] =>
  Array.from({ length: count }, (_, at) => new Date(now - (count - 1 - at) * dayMs).toISOString().slice(0, 10));

async function keyNames(ask: DashboardRequest['ask']): Promise<Map<string, string>> {
  const { keys } = await ask('listKeys');
  return new Map(keys.map(({ id, name }) => [id, name]));
}
