import type { FieldValues } from '@tallyport/pages';

/** The filters of the list, as parameters of its address: those of `GET /api/v1/requests`, and `last` for a period. */
const filterNames = [
  'last',
  'from',
  'to',
  'key',
  'project',
  'model',
  'provider',
  'operation',
  'status',
  'cached',
  'error',
  'cost_over',
  'id',
] as const;

export type FilterName = (typeof filterNames)[number];
export type Filters = Partial<Readonly<Record<FilterName, string>>>;

const hourMs = 3_600_000;

/** The periods to choose from, by the value of `last`. Without one, the list has thirty days. */
export const recentPeriods = {
  '1h': { text: 'Last hour', ms: hourMs },
  '24h': { text: 'Last 24 hours', ms: 24 * hourMs },
  '7d': { text: 'Last 7 days', ms: 7 * 24 * hourMs },
} as const;

type RecentPeriod = keyof typeof recentPeriods;

const longestFilter = 500;

/** The filters in an address. Empty ones, which forms send, are left out. */
export const filtersIn = (query: FieldValues): Filters =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const text = (query[name] ?? '').trim().slice(0, longestFilter);
      return text === '' ? [] : [[name, text]];
    }),
  );

/** The input of `listRequests`. It checks the values and names the wrong one. */
export function inputOfFilters({ last, from, to, ...filters }: Filters, now: number): Record<string, string> {
  const period = isRecentPeriod(last) && from === undefined ? recentPeriods[last] : undefined;
  return {
    ...filters,
    ...(period && { from: new Date(now - period.ms).toISOString() }),
    ...(from !== undefined && { from: timeOf(from) }),
    ...(to !== undefined && { to: timeOf(to) }),
  };
}

const isRecentPeriod = (text: string | undefined): text is RecentPeriod =>
  text !== undefined && Object.hasOwn(recentPeriods, text);

/** Browsers send the time of a field without a zone; the dashboard's is UTC. */
function timeOf(text: string): string {
  const at = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
  return Number.isNaN(at) ? text : new Date(at).toISOString();
}

/** The address of the list with these filters. */
export function listAddress(base: string, filters: Filters, cursor?: string): string {
  const query = new URLSearchParams({ ...filters, ...(cursor !== undefined && { cursor }) }).toString();
  return query === '' ? `${base}/requests` : `${base}/requests?${query}`;
}
