import { type RawBuilder, sql } from '@switchyard/database';
import type { UsageDimension } from '@switchyard/management';
import { dimensionColumns, type FilteredUsage, filteredCondition } from './filtered-usage.ts';
import { usageRelation } from './usage-relation.ts';

export type Interval = 'hour' | 'day';

export const sumsOfInterval = { hour: 'hours', day: 'days' } as const;

/** SQL: the groups of a dimension that cost most. */
export function topGroups(
  filtered: FilteredUsage,
  { interval, by, top }: { interval: Interval; by: UsageDimension; top: number },
): RawBuilder<unknown> {
  const column = dimensionColumns[by];
  return sql`select ${column} from ${usageRelation(sumsOfInterval[interval], filtered, [by])}
    where ${filteredCondition(filtered)} group by 1 order by sum(cost) desc, sum(requests) desc, 1 limit ${top}`;
}
