import { GatewayError } from '@switchyard/contracts';
import { type Database, type RawBuilder, sql } from '@switchyard/database';
import type { UsageDimension, UsagePoint } from '@switchyard/management';
import { type FilteredUsage, filteredCondition, dimensionColumns } from './filtered-usage.ts';
import { hasRequests } from './read-usage.ts';
import { sumColumns, type SumsRow, sumsOf } from './sums.ts';
import { usageRelation } from './usage-relation.ts';

export type Interval = 'hour' | 'day';

export interface SeriesShape {
  interval: Interval;
  by: readonly UsageDimension[];
  /** Only so many groups of the first dimension; the others are one group without a name. */
  top?: number | undefined;
}

const mostPoints = 10_000;
const sources = { hour: 'hours', day: 'days' } as const;

/** Reads usage by hour or day and up to two dimensions, in order. Throws `invalid_parameters` for too many points. */
export async function readSeries(
  { kysely }: Database,
  filtered: FilteredUsage,
  { interval, by, top }: SeriesShape,
): Promise<UsagePoint[]> {
  const [first] = by;
  const isTop = first === undefined || top === undefined ? undefined : inTop(filtered, { interval, by: first, top });
  const places = by.map((name) => {
    const value =
      name === first && isTop ? sql`case when ${isTop} then ${dimensionColumns[name]} end` : dimensionColumns[name];
    return sql`, ${value} as ${sql.ref(`by_${name}`)}`;
  });
  const groups = sql.raw(['1', ...by.map((_, at) => String(at + 2))].join(', '));
  const { rows } = await sql<SumsRow & { at: string } & Record<`by_${UsageDimension}`, string | null>>`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at ${sql.join(places, sql``)}, ${sumColumns}
    from ${usageRelation(sources[interval], filtered, by)} where ${filteredCondition(filtered)}
    group by ${groups} having ${hasRequests} order by ${groups} limit ${mostPoints + 1}`.execute(kysely);
  if (rows.length > mostPoints) throw tooMany();
  return rows.map((row) => ({
    at: row.at,
    ...Object.fromEntries(by.flatMap((name) => (row[`by_${name}`] === null ? [] : [[name, row[`by_${name}`]]]))),
    ...sumsOf(row),
  }));
}

/** Whether a row is of one of the groups that cost most. */
function inTop(
  filtered: FilteredUsage,
  { interval, by, top }: { interval: Interval; by: UsageDimension; top: number },
): RawBuilder<unknown> {
  const column = dimensionColumns[by];
  return sql`${column} in (select ${column} from ${usageRelation(sources[interval], filtered, [by])}
    where ${filteredCondition(filtered)} group by 1 order by sum(cost) desc, sum(requests) desc, 1 limit ${top})`;
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `This has more than ${mostPoints} points. Ask for less time, for days instead of hours, or for one dimension.`,
    { param: 'from' },
  );
