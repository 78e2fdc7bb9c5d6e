import { type Database, type Queries, sql } from '@tallyport/database';
import type { UsageDimension } from '@tallyport/management';
import { dimensionColumns, type FilteredUsage, filteredCondition } from './filtered-usage.ts';
import { usageRelation } from './usage-relation.ts';
import { dayMs } from './days.ts';

/** Whether a query is about whole days, which sums and tallies of days and weeks can answer. */
export const isOfDays = ({ from, until }: FilteredUsage): boolean =>
  [from, until].every((date) => date.getTime() % dayMs === 0);

/** Returns the groups of a dimension that cost most, highest cost first. */
type TopGroups = (filtered: FilteredUsage, wanted: { by: UsageDimension; top: number }) => Promise<string[]>;

export interface AnalyticsTools {
  database: Database;
  topGroups: TopGroups;
}

/** Groups that are read; a query asks for fewer. */
const mostGroups = 100;

/** A page asks for the same groups several times at once: these queries share one statement while it runs. */
export function createTopGroups({ kysely }: Database): TopGroups {
  const running = new Map<string, Promise<string[]>>();
  return async (filtered, { by, top }) => {
    const key = JSON.stringify([by, filtered]);
    const groups = running.get(key) ?? readGroups(kysely, filtered, by).finally(() => running.delete(key));
    running.set(key, groups);
    return (await groups).slice(0, top);
  };
}

async function readGroups(queries: Queries, filtered: FilteredUsage, by: UsageDimension): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select ${dimensionColumns[by]} as name from ${usageRelation(isOfDays(filtered) ? 'span' : 'hours', filtered, [by])}
    where ${filteredCondition(filtered)} group by 1 order by sum(cost) desc, sum(requests) desc, 1
    limit ${mostGroups}`.execute(queries);
  return rows.map(({ name }) => name);
}
