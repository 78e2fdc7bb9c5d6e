import type { FieldValues } from '@tallyport/pages';
import { type Period, periodIn, periodParameters } from '../screen/period.ts';
import { timesOf } from '../screen/request-links.ts';

/** The filters of the list: parameters of `GET /api/v1/requests`, which its address has. Each with the name that people read. */
export const filterTitles = {
  outcome: 'Outcome',
  model: 'Model',
  provider: 'Answered by',
  key: 'Key',
  project: 'Project',
  tried: 'Tried',
  failed_at: 'Failed at',
  end_user: 'End user',
  member: 'Member',
  operation: 'Operation',
  error: 'Error',
  status: 'HTTP status',
  cached: 'From the cache',
  cost_over: 'Cost over (USD)',
  id: 'Request id',
} as const;

export type FilterName = keyof typeof filterTitles;
export type Filters = Partial<Readonly<Record<FilterName, string>>>;

const filterNames = Object.keys(filterTitles) as FilterName[];

/** What a list shows: the parameters of its address but the place in the list. */
export interface ListView {
  filters: Filters;
  period: Period;
  /** The parameters of the period; none if the address does not choose one. */
  periodQuery: Readonly<Record<string, string>>;
  /** An order of the API; that of time if absent. */
  sort: string | undefined;
  /** Names of columns, separated by points; the usual ones if absent. */
  columns: string | undefined;
}

const longestText = 500;

/** The view in an address. Empty parameters, which forms send, are left out. */
export function viewIn(query: FieldValues, now: number): ListView {
  const textOf = (name: string) => (query[name] ?? '').trim().slice(0, longestText) || undefined;
  const filters = Object.fromEntries(
    filterNames.flatMap((name) => {
      const text = textOf(name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
  const period = periodIn(query, now);
  const isChosen = periodParameters.some((name) => textOf(name) !== undefined);
  return {
    filters,
    period,
    periodQuery: isChosen ? period.query : {},
    sort: textOf('sort'),
    columns: textOf('columns'),
  };
}

/** The filters as the API takes them. It checks the values and names the wrong one. An id is searched at all times. */
export function inputOfView({ filters, period, periodQuery }: ListView): Record<string, string> {
  const hasPeriod = filters.id === undefined || Object.keys(periodQuery).length > 0;
  return { ...filters, ...(hasPeriod && timesOf(period)) };
}

type ListPlace = Omit<ListView, 'period'>;

/** The parameters of an address that has this view. */
export function parametersOf({ filters, periodQuery, sort, columns }: ListPlace): Record<string, string> {
  return { ...periodQuery, ...filters, ...(sort !== undefined && { sort }), ...(columns !== undefined && { columns }) };
}

/** The address of the list with this view. */
export function listAddress(base: string, view: ListPlace, cursor?: string): string {
  const query = new URLSearchParams({ ...parametersOf(view), ...(cursor !== undefined && { cursor }) }).toString();
  return query === '' ? `${base}/requests` : `${base}/requests?${query}`;
}

/** The view without a filter. */
export function withoutFilter({ filters, ...view }: ListView, name: FilterName): ListView {
  const { [name]: _removed, ...rest } = filters;
  return { ...view, filters: rest };
}

const titles: Readonly<Record<string, string>> = { ...filterTitles, sort: 'Sorted by' };

/** A message of the API about filters, with the names that people read: `status must be a number.` is about HTTP status. */
export const readableProblem = (message: string): string =>
  message.replaceAll(/(^|; )([a-z_]+)(?= )/g, (all, before: string, name: string) =>
    Object.hasOwn(titles, name) ? `${before}${titles[name]}` : all,
  );
