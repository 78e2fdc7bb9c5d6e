import { GatewayError } from '@switchyard/contracts';
import { type Database, sql } from '@switchyard/database';
import type { UsageDimension, UsagePoint } from '@switchyard/management';
import { type FilteredUsage, filteredCondition, dimensionColumns } from './filtered-usage.ts';
import { hasRequests } from './read-usage.ts';
import { sumColumns, type SumsRow, sumsOf } from './sums.ts';
import { type Interval, sumsOfInterval, topGroups } from './top-groups.ts';
import { usageRelation, usageWithOthers } from './usage-relation.ts';

export interface SeriesShape {
  interval: Interval;
  by: readonly UsageDimension[];
  /** Only so many groups of the first dimension; the others are one group without a name. */
  top?: number | undefined;
}

const mostPoints = 10_000;

/** Reads usage by hour or day and up to two dimensions, in order. Throws `invalid_parameters` for too many points. */
export async function readSeries(
  { kysely }: Database,
  filtered: FilteredUsage,
  { interval, by, top: most }: SeriesShape,
): Promise<UsagePoint[]> {
  const [first] = by;
  const top =
    first === undefined || most === undefined
      ? undefined
      : { by: first, groups: topGroups(filtered, { interval, by: first, top: most }) };
  const relation = usageRelation(sumsOfInterval[interval], filtered, by);
  const withOthers = top && by.length === 1 ? usageWithOthers(sumsOfInterval[interval], filtered, top) : undefined;
  const places = by.map((name) => {
    const column = dimensionColumns[name];
    const isCut = top && name === first && withOthers === undefined;
    return sql`, ${isCut ? sql`case when ${column} in (${top.groups}) then ${column} end` : column} as ${sql.ref(`by_${name}`)}`;
  });
  const groups = sql.raw(['1', ...by.map((_, at) => String(at + 2))].join(', '));
  const { rows } = await sql<SumsRow & { at: string } & Record<`by_${UsageDimension}`, string | null>>`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at ${sql.join(places, sql``)}, ${sumColumns}
    from ${withOthers ?? relation} where ${filteredCondition(filtered)}
    group by ${groups} having ${hasRequests} order by ${groups} limit ${mostPoints + 1}`.execute(kysely);
  if (rows.length > mostPoints) throw tooMany();
  return rows.map((row) => ({
    at: row.at,
    ...Object.fromEntries(by.flatMap((name) => (row[`by_${name}`] === null ? [] : [[name, row[`by_${name}`]]]))),
    ...sumsOf(row),
  }));
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `This has more than ${mostPoints} points. Ask for less time, for days instead of hours, or for one dimension.`,
    { param: 'from' },
  );
