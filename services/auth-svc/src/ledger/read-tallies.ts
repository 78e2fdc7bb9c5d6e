import { type Database, sql } from '@switchyard/database';
import type { UsageDimension } from '@switchyard/management';
import { dimensionColumns, type FilteredUsage, filteredCondition } from './filtered-usage.ts';
import { type Percentiles, percentilesOf, readHistogram } from './histogram.ts';
import type { Measure } from './write-tallies.ts';

const mostGroups = 1_000;

const members = {
  duration: 'durationMs',
  first_byte: 'firstByteMs',
  speed: 'tokensPerSecond',
} as const satisfies Record<Exclude<Measure, 'error'>, string>;

export type Latency = { group: string } & Partial<Record<(typeof members)[keyof typeof members], Percentiles>>;

interface HistogramRow {
  group: string;
  measure: keyof typeof members;
  buckets: Record<string, number>;
}

/** Reads the percentiles of times and speeds by group, in alphabetical order. */
export async function readLatency(
  { kysely }: Database,
  filtered: FilteredUsage,
  by: UsageDimension,
): Promise<Latency[]> {
  const { rows } = await sql<HistogramRow>`
    select ${sql.ref('group')}, measure, jsonb_object_agg(value, requests) as buckets from (
      select ${dimensionColumns[by]} as ${sql.ref('group')}, measure, value, sum(requests) as requests from usage_tallies
      where ${filteredCondition(filtered)} and measure <> 'error' group by 1, 2, 3
    ) as summed group by 1, 2 order by 1 limit ${mostGroups * Object.keys(members).length}`.execute(kysely);
  const groups = new Map<string, Latency>();
  for (const { group, measure, buckets } of rows) {
    const latency = groups.get(group) ?? { group };
    groups.set(group, { ...latency, [members[measure]]: percentilesOf(readHistogram(buckets)) });
  }
  return [...groups.values()];
}

export interface ErrorCount {
  code: string;
  group: string;
  requests: number;
}

/** Counts requests by error code and group, most frequent first. */
export async function readErrors(
  { kysely }: Database,
  filtered: FilteredUsage,
  by: UsageDimension,
): Promise<ErrorCount[]> {
  const { rows } = await sql<ErrorCount>`
    select value as code, ${dimensionColumns[by]} as ${sql.ref('group')}, sum(requests)::double precision as requests
    from usage_tallies where ${filteredCondition(filtered)} and measure = 'error'
    group by 1, 2 order by 3 desc, 1, 2 limit ${mostGroups}`.execute(kysely);
  return rows;
}
