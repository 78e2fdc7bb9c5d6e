import { type Queries, sql } from '../../packages/database/src/index.ts';
import { largeAccount } from './fill-people.ts';

export interface MeasuredPath {
  path: string;
  as: 'admin' | 'member' | 'key' | 'anyone';
}

const dayMs = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * dayMs);
const day = (days: number): string => daysAgo(days).toISOString().slice(0, 10);

/** Every page and operation that reads the ledger or a long list, with the filters that read most. */
export async function measuredPaths(queries: Queries): Promise<MeasuredPath[]> {
  const { rows } = await sql<{ id: string }>`select id from usage_records where account_id = ${largeAccount}
    and at < ${daysAgo(10)} order by at desc limit 1`.execute(queries);
  const id = rows[0]?.id ?? '';
  const pages = pagePaths(id);
  return [
    ...pages.map((path) => ({ path: `/dashboard/${largeAccount}${path}`, as: 'admin' as const })),
    ...pages.filter(isForMembers).map((path) => ({ path: `/dashboard/${largeAccount}${path}`, as: 'member' as const })),
    ...apiPaths(id).map((path) => ({ path: `/api/v1${path}`, as: 'key' as const })),
    ...['/status', '/status.json'].map((path) => ({ path, as: 'anyone' as const })),
  ];
}

/** What a member may open, once with each kind of query. */
const isForMembers = (path: string): boolean =>
  /^\/(overview|analytics\?period=(24h|90d)&by=model$|requests(\?model=model-0|\?error=any|$)|budgets|keys$|projects$|providers$)/.test(
    path,
  );

/** Filters of the list of requests: each alone, rare ones together, a deep cursor, and times. */
const requestFilters = (id: string): string[] => [
  '',
  '?period=24h',
  '?period=7d',
  '?sort=cost',
  '?sort=duration&period=90d',
  ...['ok', 'failed', 'failed_over', 'rescued', 'refused', 'cached', 'client_left'].map(
    (outcome) => `?outcome=${outcome}`,
  ),
  '?tried=provider-7',
  '?failed_at=provider-7',
  `?from=${day(60)}&to=${day(59)}`,
  '?key=key_bench_0',
  '?key=key_bench_997',
  '?project=project_bench_4',
  '?project=none',
  '?model=model-0',
  '?model=model-131',
  '?provider=provider-7',
  '?operation=image_generation',
  '?operation=speech',
  '?status=402',
  '?status=418',
  '?cached=true',
  '?error=any',
  '?error=provider_timeout',
  '?cost_over=0.009',
  '?cost_over=5',
  `?id=${id}`,
  '?model=model-131&error=budget_exceeded&cached=false',
  '?provider=provider-7&status=402&operation=embeddings',
  '?key=key_bench_0&status=418',
  `?cursor=${daysAgo(29).getTime()}.use_5`,
];

const analytics = ['model', 'provider', 'key', 'project'].flatMap((by) =>
  ['24h', '7d', '30d', '90d'].map((period) => `/analytics?period=${period}&by=${by}`),
);

function pagePaths(id: string): string[] {
  return [
    '/overview',
    ...requestFilters(id).map((query) => `/requests${query}`),
    `/requests/${id}`,
    ...analytics,
    '/analytics?period=90d&by=provider&model=model-0',
    '/analytics?period=90d&by=model&provider=provider-7',
    '/analytics?period=90d&by=model&key=key_bench_0',
    '/analytics?period=30d&by=model&project=project_bench_4',
    '/providers',
    '/providers?days=30',
    '/providers/provider-7',
    '/budgets',
    '/alerts/new/budget',
    '/alerts/history',
    '/keys',
    '/keys/key_bench_0',
    '/projects',
    '/projects/project_bench_4',
    '/audit',
    '/audit?q=203.0.113.7',
    '/audit?q=person-7',
    '/audit?q=nothing',
    '/members',
  ];
}

function apiPaths(id: string): string[] {
  const month = `from=${day(29)}&to=${day(0)}`;
  const quarter = `from=${day(89)}&to=${day(0)}`;
  return [
    '/requests',
    '/requests?status=418',
    '/requests/sums',
    '/requests/sums?cost_over=5',
    '/requests/export?outcome=failed',
    `/requests/${id}`,
    ...['day', 'model', 'provider', 'key', 'project'].map((by) => `/usage?${quarter}&group_by=${by}`),
    `/usage/export?from=${day(60)}&to=${day(0)}`,
    `/usage/export?from=${day(60)}&to=${day(0)}&key=key_bench_997`,
    `/usage/series?${month}&interval=day&by=model&top=20`,
    ...['model', 'key'].map((by) => `/usage/series?${quarter}&interval=period&by=${by}&top=20`),
    '/usage/series?hours=48&interval=hour&by=model&top=20',
    `/usage/series?${month}&interval=day&by=model&then_by=provider&top=5`,
    ...['hour', 'model', 'provider', 'key'].map((by) => `/usage/latency?hours=48&by=${by}`),
    ...['day', 'model', 'provider', 'key'].map((by) => `/usage/latency?${quarter}&by=${by}`),
    `/usage/errors?${quarter}&by=model`,
    '/budgets',
    '/keys',
    '/projects',
    '/audit',
    '/members',
    '/providers/history?days=90',
    '/providers/history?days=90&by=offer',
  ];
}
