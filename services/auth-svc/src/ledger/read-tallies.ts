import { type Database, type RawBuilder, sql } from '@switchyard/database';
import type { ErrorCount, Latency, TallyGrouping } from '@switchyard/management';
import { dimensionColumns, type FilteredUsage, filteredCondition } from './filtered-usage.ts';
import { percentilesOf, readHistogram } from './histogram.ts';
import { topGroups } from './top-groups.ts';
import { usageRelation } from './usage-relation.ts';
import type { Measure } from './write-tallies.ts';

const mostGroups = 1_000;

const members = {
  duration: 'durationMs',
  first_byte: 'firstByteMs',
  speed: 'tokensPerSecond',
} as const satisfies Record<Exclude<Measure, 'error'>, string>;

const groups = {
  ...dimensionColumns,
  hour: sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  day: sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD')`,
} as const satisfies Record<TallyGrouping, RawBuilder<unknown>>;

const measuredTimes = sql.join(Object.keys(members).map((name) => sql.lit(name)));

const dayMs = 86_400_000;

/** Only the groups of the highest cost. */
function inTop(filtered: FilteredUsage, by: TallyGrouping | undefined, top: number | undefined): RawBuilder<unknown> {
  if (by === undefined || by === 'hour' || by === 'day' || top === undefined) return sql``;
  const interval = isOfDays(filtered) ? 'day' : 'hour';
  return sql`and ${groups[by]} in (${topGroups(filtered, { interval, by, top })})`;
}

const isOfDays = ({ from, until }: FilteredUsage): boolean =>
  [from, until].every((date) => date.getTime() % dayMs === 0);

/** Summaries by day serve whole days only. */
function talliesOf(filtered: FilteredUsage, by: TallyGrouping | undefined): RawBuilder<unknown> {
  return usageRelation(isOfDays(filtered) && by !== 'hour' ? 'tallyDays' : 'tallyHours', filtered, by && [by]);
}

interface HistogramRow {
  group: string;
  measure: keyof typeof members;
  buckets: Record<string, number>;
}

/** Reads the percentiles of times and speeds by group, in alphabetical order. */
export const readLatency = (
  database: Database,
  filtered: FilteredUsage,
  { by, top }: { by: TallyGrouping; top?: number | undefined },
): Promise<(Latency & { group: string })[]> => readHistograms(database, filtered, { by, top });

/** The same of all requests together. */
export async function readTotalLatency(database: Database, filtered: FilteredUsage): Promise<Latency> {
  const [total] = await readHistograms(database, filtered);
  const { group: _, ...latency } = total ?? { group: '' };
  return latency;
}

async function readHistograms(
  { kysely }: Database,
  filtered: FilteredUsage,
  { by, top }: { by?: TallyGrouping; top?: number | undefined } = {},
): Promise<(Latency & { group: string })[]> {
  const group = by === undefined ? sql`''` : groups[by];
  const { rows } = await sql<HistogramRow>`
    select ${sql.ref('group')}, measure, jsonb_object_agg(value, requests) as buckets from (
      select ${group} as ${sql.ref('group')}, measure, value, sum(requests) as requests
      from ${talliesOf(filtered, by)} where ${filteredCondition(filtered)} and measure in (${measuredTimes})
        ${inTop(filtered, by, top)}
      group by 1, 2, 3 having sum(requests) > 0
    ) as summed group by 1, 2 order by 1 limit ${mostGroups * Object.keys(members).length}`.execute(kysely);
  const found = new Map<string, Latency & { group: string }>();
  for (const row of rows) {
    const latency = found.get(row.group) ?? { group: row.group };
    found.set(row.group, { ...latency, [members[row.measure]]: percentilesOf(readHistogram(row.buckets)) });
  }
  return [...found.values()];
}

/** Counts requests by error code and group, most frequent first. */
export async function readErrors(
  { kysely }: Database,
  filtered: FilteredUsage,
  by: TallyGrouping,
): Promise<ErrorCount[]> {
  const { rows } = await sql<ErrorCount>`
    select value as code, ${groups[by]} as ${sql.ref('group')}, sum(requests)::double precision as requests
    from ${talliesOf(filtered, by)} where ${filteredCondition(filtered)} and measure = 'error'
    group by 1, 2 having sum(requests) > 0 order by 3 desc, 1, 2 limit ${mostGroups}`.execute(kysely);
  return rows;
}
