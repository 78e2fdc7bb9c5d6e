import { type Database, type Queries, type RawBuilder, sql } from '@tallyport/database';
import type { ErrorCount, Latency, TallyGrouping, UsageDimension } from '@tallyport/management';
import { mapInTurns } from '@tallyport/management-server';
import { dayColumn } from './day-column.ts';
import { dimensionColumns, type FilteredUsage, filteredCondition, type GroupsOf } from './filtered-usage.ts';
import { percentilesOf, sumHistograms } from './histogram.ts';
import { histogramRelation, type HistogramUnit } from './histogram-relation.ts';
import { type AnalyticsTools, isOfDays } from './top-groups.ts';
import { usageRelation } from './usage-relation.ts';

const mostGroups = 1_000;
/** More histograms than a hundred keys with a few offers have in a year of days. */
const mostRows = 100_000;

const groups = {
  ...dimensionColumns,
  hour: sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  day: dayColumn,
} as const satisfies Record<TallyGrouping, RawBuilder<unknown>>;

interface HistogramRow {
  group: string;
  /** The hour or day of an interval. */
  at: string | null;
  sign: number;
  duration: string;
  first_byte: string;
  speed: string;
}

export interface Latencies {
  /** In alphabetical order; only those of the highest cost. */
  groups: (Latency & { group: string; at?: string })[];
  /** Of all requests together. */
  total: Latency;
}

/** Reads the percentiles of times and speeds of hours or days. */
export async function readLatencyOfTimes(
  { database: { kysely } }: Pick<AnalyticsTools, 'database'>,
  filtered: FilteredUsage,
  by: 'hour' | 'day',
): Promise<Latencies> {
  // The hours or days are all requests.
  const rows = await histogramRows(kysely, filtered, { by, unit: unitOf[by] });
  return { groups: await groupsOf(rows), total: latencyOf(rows) };
}

interface WantedGroups {
  by: UsageDimension;
  top: number;
  /** These groups instead of those of the highest cost. */
  only?: GroupsOf | undefined;
  /** Each group by hour or day. */
  interval?: 'hour' | 'day' | undefined;
}

/** Reads the percentiles of times and speeds by a dimension. */
export async function readLatency(
  tools: AnalyticsTools,
  filtered: FilteredUsage,
  wanted: WantedGroups,
): Promise<Latencies> {
  const [rows, total] = await Promise.all([rowsOfTop(tools, filtered, wanted), readTotalLatency(tools, filtered)]);
  return { groups: await groupsOf(rows), total };
}

/** Reads the percentiles of all groups together. */
export const readTotalLatency = async (
  { database: { kysely } }: Pick<AnalyticsTools, 'database'>,
  filtered: FilteredUsage,
): Promise<Latency> => latencyOf(await histogramRows(kysely, filtered, { unit: spanOf(filtered) }));

async function rowsOfTop(
  { database: { kysely }, topGroups }: AnalyticsTools,
  filtered: FilteredUsage,
  { by, top: most, only, interval }: WantedGroups,
): Promise<HistogramRow[]> {
  const top = only?.groups ?? (await topGroups(filtered, { by, top: most }));
  const unit = interval === undefined ? spanOf(filtered) : unitOf[interval];
  return top.length === 0 ? [] : histogramRows(kysely, filtered, { by, unit, top, interval });
}

/** A group may have thousands of histograms. */
const groupsPerTurn = 20;

async function groupsOf(rows: readonly HistogramRow[]): Promise<Latencies['groups']> {
  const groups = [...Map.groupBy(rows, ({ group, at }) => JSON.stringify([group, at]))].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const all = await mapInTurns(groups, ([, own]) => groupOf(own), groupsPerTurn);
  return all
    .filter(({ latency }) => Object.keys(latency).length > 0)
    .map(({ place, latency }) => ({ ...place, ...latency }));
}

/** Rows of the same group and time. */
function groupOf(own: readonly HistogramRow[]) {
  const { group = '', at = null } = own[0] ?? {};
  return { place: { group, ...(at !== null && { at }) }, latency: latencyOf(own) };
}

const unitOf = { hour: 'hours', day: 'days' } as const;

/** Sums by day and week serve whole days only. */
const spanOf = (filtered: FilteredUsage): HistogramUnit => (isOfDays(filtered) ? 'span' : 'hours');

interface HistogramQuery {
  by?: TallyGrouping;
  unit: HistogramUnit;
  /** The groups to read; all of them, if absent. */
  top?: readonly string[] | undefined;
  interval?: 'hour' | 'day' | undefined;
}

async function histogramRows(
  queries: Queries,
  filtered: FilteredUsage,
  { by, unit, top, interval }: HistogramQuery,
): Promise<HistogramRow[]> {
  const group = by === undefined ? sql`''` : groups[by];
  const at = interval === undefined ? sql`null` : groups[interval];
  const { rows } = await sql<HistogramRow>`
    select ${group} as ${sql.ref('group')}, ${at} as ${sql.ref('at')}, sign, duration::text, first_byte::text, speed::text
    from ${histogramRelation(unit, filtered, by === undefined ? [] : [by])}
    where ${filteredCondition(filtered)} ${top === undefined ? sql`` : sql`and ${group} in (${sql.join(top)})`}
    limit ${mostRows}`.execute(queries);
  return rows;
}

function latencyOf(rows: readonly HistogramRow[]): Latency {
  const percentiles = (column: 'duration' | 'first_byte' | 'speed') =>
    percentilesOf(sumHistograms(rows.map((row) => ({ histogram: row[column], sign: row.sign }))));
  const [durationMs, firstByteMs, tokensPerSecond] = [
    percentiles('duration'),
    percentiles('first_byte'),
    percentiles('speed'),
  ];
  return {
    ...(durationMs && { durationMs }),
    ...(firstByteMs && { firstByteMs }),
    ...(tokensPerSecond && { tokensPerSecond }),
  };
}

/** Counts requests by error code and group, most frequent first. */
export async function readErrors(
  { kysely }: Database,
  filtered: FilteredUsage,
  by: TallyGrouping,
): Promise<ErrorCount[]> {
  const { rows } = await sql<ErrorCount>`
    select value as code, ${groups[by]} as ${sql.ref('group')}, sum(requests)::double precision as requests
    from ${errorsOf(filtered, by)} where ${filteredCondition(filtered)} and measure = 'error'
    group by 1, 2 having sum(requests) > 0 order by 3 desc, 1, 2 limit ${mostGroups}`.execute(kysely);
  return rows;
}

/** Sums by day serve whole days only. */
const errorsOf = (filtered: FilteredUsage, by: TallyGrouping): RawBuilder<unknown> =>
  usageRelation(isOfDays(filtered) && by !== 'hour' ? 'errorDays' : 'errorHours', filtered, [by]);
