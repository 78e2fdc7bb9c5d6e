import { GatewayError } from '@tallyport/contracts';
import { type RawBuilder, sql } from '@tallyport/database';
import type { UsageDimension, UsageInterval, UsagePoint } from '@tallyport/management';
import { mapInTurns } from '@tallyport/management-server';
import { type FilteredUsage, filteredCondition, dimensionColumns } from './filtered-usage.ts';
import { hasRequests } from './read-usage.ts';
import { sumColumns, type SumsRow, sumsOf } from './sums.ts';
import { type AnalyticsTools, isOfDays } from './top-groups.ts';
import { sumsOfInterval, usageRelation, usageWithOthers } from './usage-relation.ts';

interface SeriesShape {
  interval: UsageInterval;
  by: readonly UsageDimension[];
  /** Only so many groups of the first dimension; the others are one group without a name. */
  top?: number | undefined;
}

const mostPoints = 10_000;

/**
 * Reads usage by hour, day or for the whole period, and up to two dimensions, in order. Throws `invalid_parameters` for too
 * many points.
 */
export async function readSeries(
  { database: { kysely }, topGroups }: AnalyticsTools,
  filtered: FilteredUsage,
  { interval, by, top: most }: SeriesShape,
): Promise<UsagePoint[]> {
  const [first] = by;
  const top =
    first === undefined || most === undefined
      ? undefined
      : { by: first, groups: await topGroups(filtered, { by: first, top: most }) };
  const source = interval === 'period' && !isOfDays(filtered) ? 'hour' : interval;
  const relation = usageRelation(sumsOfInterval[source], filtered, by);
  const withOthers = top && by.length === 1 ? usageWithOthers(source, filtered, top) : undefined;
  const places = by.map((name) => {
    const column = dimensionColumns[name];
    const shown = top && name === first && withOthers === undefined ? onlyIn(top.groups, column) : column;
    return sql`, ${shown} as ${sql.ref(`by_${name}`)}`;
  });
  const at = interval === 'period' ? sql`${filtered.from.toISOString()}::timestamptz` : sql`at`;
  // By the time itself, because its text makes sorting slow.
  const groups = sql.raw([interval === 'period' ? '1' : 'at', ...by.map((_, index) => String(index + 2))].join(', '));
  const { rows } = await sql<SumsRow & { at: string } & Record<`by_${UsageDimension}`, string | null>>`
    select to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at ${sql.join(places, sql``)}, ${sumColumns}
    from ${withOthers ?? relation} where ${filteredCondition(filtered)}
    group by ${groups} having ${hasRequests} order by ${groups} limit ${mostPoints + 1}`.execute(kysely);
  if (rows.length > mostPoints) throw tooMany();
  return mapInTurns(rows, (row) => ({
    at: row.at,
    ...Object.fromEntries(by.flatMap((name) => (row[`by_${name}`] === null ? [] : [[name, row[`by_${name}`]]]))),
    ...sumsOf(row),
  }));
}

const onlyIn = (groups: readonly string[], column: RawBuilder<unknown>): RawBuilder<unknown> =>
  groups.length === 0 ? sql`null::text` : sql`case when ${column} in (${sql.join(groups)}) then ${column} end`;

const tooMany = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `This has more than ${mostPoints} points. Ask for less time, for a longer interval, or for one dimension.`,
    { param: 'from' },
  );
