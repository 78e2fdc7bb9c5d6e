import { GatewayError } from '@switchyard/contracts';
import { type Database, sql } from '@switchyard/database';
import type { Sums, UsageDimension } from '@switchyard/management';
import { type FilteredUsage, filteredCondition, dimensionColumns } from './filtered-usage.ts';
import { sumColumns, type SumsRow, sumsOf } from './sums.ts';

export type Interval = 'hour' | 'day';

export type UsagePoint = Sums & { at: string } & Partial<Record<UsageDimension, string>>;

const mostPoints = 10_000;
const tables = { hour: sql`usage_hours`, day: sql`usage_days` } as const;

/** Reads usage by hour or day and up to two dimensions, in order. Throws `invalid_parameters` for too many points. */
export async function readSeries(
  { kysely }: Database,
  filtered: FilteredUsage,
  { interval, by }: { interval: Interval; by: readonly UsageDimension[] },
): Promise<UsagePoint[]> {
  const places = by.map((name) => sql`, ${dimensionColumns[name]} as ${sql.ref(`by_${name}`)}`);
  const groups = sql.raw(['1', ...by.map((_, at) => String(at + 2))].join(', '));
  const { rows } = await sql<SumsRow & { at: string }>`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at ${sql.join(places, sql``)}, ${sumColumns}
    from ${tables[interval]} where ${filteredCondition(filtered)}
    group by ${groups} order by ${groups} limit ${mostPoints + 1}`.execute(kysely);
  if (rows.length > mostPoints) throw tooMany();
  return rows.map((row) => ({
    at: row.at,
    ...Object.fromEntries(by.map((name) => [name, row[`by_${name}`] ?? ''])),
    ...sumsOf(row),
  }));
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `This has more than ${mostPoints} points. Ask for less time, for days instead of hours, or for one dimension.`,
    { param: 'from' },
  );
