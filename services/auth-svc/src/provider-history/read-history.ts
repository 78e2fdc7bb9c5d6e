import { type Database, type RawBuilder, sql } from '@switchyard/database';
import type { DailyHealth, Incident } from '@switchyard/management';
import { percentilesOf, readHistogram } from '../ledger/histogram.ts';
import { type HealthHour, incidentsIn, successRatio } from './incidents.ts';

export interface HistoryQuery {
  days: number;
  by: 'provider' | 'offer';
  provider?: string | undefined;
  model?: string | undefined;
  /** Whether to return numbers of calls, which are those of all accounts. */
  withAttempts: boolean;
}

interface DayRow {
  day: string;
  provider: string;
  model: string | null;
  attempts: number;
  failed: number;
  rescued: number;
  buckets: Record<string, number> | null;
}

/** More rows than any catalogue has in ninety days by provider; by offer, the newest ones are returned. */
const mostRows = 20_000;

export async function readHistory(
  { kysely }: Database,
  query: HistoryQuery,
): Promise<{ days: DailyHealth[]; incidents: Incident[] }> {
  const days = await dayQuery(query).execute(kysely);
  const hours = await hourQuery(query).execute(kysely);
  return {
    days: days.rows.map((row) => healthOf(row, query)),
    incidents: incidentsIn(hours.rows.map(({ model, ...hour }) => ({ ...hour, ...(model !== null && { model }) }))),
  };
}

const modelOf = ({ by }: HistoryQuery): RawBuilder<unknown> => (by === 'offer' ? sql`model` : sql`null::text`);

function condition({ days, provider, model }: HistoryQuery): RawBuilder<unknown> {
  const since = sql`at >= date_trunc('day', now(), 'UTC') - make_interval(days => ${days - 1}::int)`;
  const parts = [since];
  if (provider !== undefined) parts.push(sql`provider = ${provider}`);
  if (model !== undefined) parts.push(sql`model = ${model}`);
  return sql.join(parts, sql` and `);
}

const dayQuery = (query: HistoryQuery) => sql<DayRow>`
  with counted as (
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, provider, ${modelOf(query)} as model,
      sum(attempts)::double precision as attempts, sum(failed)::double precision as failed,
      sum(rescued)::double precision as rescued
    from offer_hours where ${condition(query)} group by 1, 2, 3
  ), measured as (
    select day, provider, model, jsonb_object_agg(bucket, attempts) as buckets from (
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, provider, ${modelOf(query)} as model, bucket,
        sum(attempts) as attempts
      from offer_latencies where ${condition(query)} group by 1, 2, 3, 4
    ) as summed group by 1, 2, 3
  )
  select counted.*, measured.buckets from counted left join measured on measured.day = counted.day
    and measured.provider = counted.provider and measured.model is not distinct from counted.model
  order by day desc, provider, model limit ${mostRows}`;

const hourQuery = (query: HistoryQuery) => sql<Omit<HealthHour, 'model'> & { model: string | null }>`
  select at, provider, ${modelOf(query)} as model, sum(attempts)::double precision as attempts,
    sum(failed)::double precision as failed
  from offer_hours where ${condition(query)} group by 1, 2, 3
  having sum(failed) > 0 order by 2, 3, 1 limit ${mostRows}`;

function healthOf(row: DayRow, { withAttempts }: HistoryQuery): DailyHealth {
  const latency = percentilesOf(readHistogram(row.buckets));
  return {
    day: row.day,
    provider: row.provider,
    ...(row.model !== null && { model: row.model }),
    uptime: successRatio(row),
    rescued: Math.round((row.rescued / row.attempts) * 10_000) / 10_000,
    ...(latency && { p50Ms: latency.p50, p95Ms: latency.p95 }),
    ...(withAttempts && { attempts: row.attempts }),
  };
}
