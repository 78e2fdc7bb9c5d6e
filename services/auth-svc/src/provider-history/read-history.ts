import { type Database, type RawBuilder, sql } from '@switchyard/database';
import type { DailyHealth, Incident } from '@switchyard/management';
import { percentilesOf, readHistogram } from '../ledger/histogram.ts';
import { type HealthHour, incidentsIn, isIllSql, successRatio } from './incidents.ts';
import { ofLastDays } from './last-days.ts';

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
  latency: string | null;
}

/** More rows than any catalogue has in ninety days by provider; by offer, the newest ones are returned. */
const mostRows = 20_000;

export async function readHistory(
  { kysely }: Database,
  query: HistoryQuery,
): Promise<{ days: DailyHealth[]; incidents: Incident[] }> {
  const [days, hours] = await Promise.all([dayQuery(query).execute(kysely), hourQuery(query).execute(kysely)]);
  return {
    days: days.rows.map((row) => healthOf(row, query)),
    incidents: incidentsIn(hours.rows.map(({ model, ...hour }) => ({ ...hour, ...(model !== null && { model }) }))),
  };
}

const isByOffer = ({ by, model }: HistoryQuery): boolean => by === 'offer' || model !== undefined;

/** Rows of providers as a whole have no model. */
function condition(query: HistoryQuery): RawBuilder<unknown> {
  const { days, provider, model } = query;
  const parts = [ofLastDays(days)];
  if (provider !== undefined) parts.push(sql`provider = ${provider}`);
  if (model !== undefined) parts.push(sql`model = ${model}`);
  return sql.join(parts, sql` and `);
}

const ofKind = (query: HistoryQuery): RawBuilder<unknown> => (isByOffer(query) ? sql`model <> ''` : sql`model = ''`);

const modelOf = ({ by }: HistoryQuery): RawBuilder<unknown> => (by === 'offer' ? sql`model` : sql`null::text`);

const counts = sql`attempts::double precision as attempts, failed::double precision as failed`;

const dayQuery = (query: HistoryQuery) => sql<DayRow>`
  with counted as (
    select * from offer_days where ${condition(query)} and ${ofKind(query)} and attempts > 0
    order by at desc, provider, model limit ${mostRows}
  ), measured as materialized (
    select at, provider, model, latency::text from offer_histogram_days where ${condition(query)} and ${ofKind(query)}
  )
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, provider, ${modelOf(query)} as model, ${counts},
    rescued::double precision as rescued, measured.latency
  from counted left join measured using (at, provider, model)
  order by at desc, provider, counted.model`;

const hourQuery = (query: HistoryQuery) => {
  const [hours, model] = isByOffer(query) ? [sql`offer_hours`, modelOf(query)] : [sql`provider_hours`, sql`null::text`];
  return sql<Omit<HealthHour, 'model'> & { model: string | null }>`
    select at, provider, ${model} as model, ${counts} from ${hours} where ${condition(query)} and ${isIllSql('attempts', 'failed')}
    order by 2, 3, 1 limit ${mostRows}`;
};

function healthOf(row: DayRow, { withAttempts }: HistoryQuery): DailyHealth {
  const latency = percentilesOf(readHistogram(row.latency ?? ''));
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
