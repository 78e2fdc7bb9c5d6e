import { type UsageDimension, usageDimensions } from '@tallyport/management';
import { queryOf } from '../screen/query-of.ts';
import type { RequestFilter } from '../screen/request-links.ts';
import type { Period } from '../screen/period.ts';

/** What the page can be restricted to. */
export const usageFilters = [...usageDimensions, 'member', 'end_user'] as const;
export type UsageFilter = (typeof usageFilters)[number];

/** What the address of the page chooses. */
export interface AnalyticsChoice {
  base: string;
  period: Period;
  by: UsageDimension;
  /** The usage that is shown. */
  filter: Pick<RequestFilter, UsageFilter>;
  /** The column of the table that orders it, or `<column>.change`; the groups of the highest cost without one. */
  sort: string | undefined;
  /** Names of the columns of the table, separated by points; the usual ones if absent. */
  columns: string | undefined;
  /** Whether the chart of times has a line for each group. */
  hasGroupTimes: boolean;
  /** The chart that is shown as a table as well. */
  table: string | undefined;
}

/** The parameters of the page without its period. */
export const analyticsParameters = ({
  by,
  filter,
  sort,
  columns,
  hasGroupTimes,
}: AnalyticsChoice): Record<string, string> =>
  Object.fromEntries(queryOf({ by, ...filter, sort, columns, ...(hasGroupTimes && { latency: 'groups' }) }));

/** The address of the page with some parameters changed; `undefined` removes one. A table is only shown when asked for. */
export function analyticsAddress(
  choice: AnalyticsChoice,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const all = { ...choice.period.query, ...analyticsParameters(choice), ...changes };
  return `${choice.base}/analytics?${queryOf(all).toString()}`;
}
