import { type Database, type RawBuilder, sql } from '@tallyport/database';
import type { DailyHealth, Incident } from '@tallyport/management';
import { dayColumn } from '../usage/day-column.ts';
import { percentilesOf, readHistogram } from '../usage/histogram.ts';
import { type HealthHour, incidentsIn, isIllSql, successRatio } from './incidents.ts';
import { ofLastDays } from './last-days.ts';

interface HistoryQuery {
  days: number;
  by: 'provider' | 'offer';
  provider?: string | undefined;
  model?: string | undefined;
  /** How many providers or offers to return. */
  limit: number;
  /** The last provider or offer of the response before. */
  cursor?: string | undefined;
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

/** More rows than the most providers or offers of a response have in ninety days. */
const mostRows = 20_000;
/** Of the hours that incidents are made of, the newest ones. */
const mostHours = 1_000;

interface History {
  days: DailyHealth[];
  incidents: Incident[];
  nextCursor?: string;
}

export async function readHistory({ kysely }: Database, query: HistoryQuery): Promise<History> {
  const after = query.cursor === undefined ? undefined : offerIn(query.cursor);
  const names = (await nameQuery(query, after).execute(kysely)).rows;
  const shown = names.slice(0, query.limit);
  const last = shown.at(-1);
  if (last === undefined) return { days: [], incidents: [] };
  const span = { after, last };
  const [days, hours] = await Promise.all([
    dayQuery(query, span).execute(kysely),
    hourQuery(query, span).execute(kysely),
  ]);
  return {
    days: days.rows.map((row) => healthOf(row, query)),
    incidents: incidentsIn(hours.rows.map(({ model, ...hour }) => ({ ...hour, ...(model !== null && { model }) }))),
    ...(names.length > shown.length && { nextCursor: cursorOf(last) }),
  };
}

/** Rows of providers as a whole have an empty model. */
interface OfferName {
  provider: string;
  model: string;
}

const cursorOf = ({ provider, model }: OfferName): string => (model === '' ? provider : `${provider}/${model}`);

/** Names of models may contain slashes, those of providers do not. */
function offerIn(cursor: string): OfferName {
  const [provider = '', ...model] = cursor.split('/');
  return { provider, model: model.join('/') };
}

/** The providers or offers of a response, which are neighbours in the index. */
interface NameSpan {
  /** Exclusive. */
  after: OfferName | undefined;
  last?: OfferName;
}

const isByOffer = ({ by, model }: HistoryQuery): boolean => by === 'offer' || model !== undefined;

function condition(query: HistoryQuery, { after, last }: NameSpan): RawBuilder<unknown> {
  const { days, provider, model } = query;
  const parts = [ofLastDays(days)];
  if (provider !== undefined) parts.push(sql`provider = ${provider}`);
  // The index of the hours begins with the provider.
  if (after) parts.push(sql`provider >= ${after.provider}`);
  if (last) parts.push(sql`provider <= ${last.provider}`);
  if (model !== undefined) parts.push(sql`model = ${model}`);
  return sql.join(parts, sql` and `);
}

/** The condition for tables whose rows have a model. */
function ofOffers(query: HistoryQuery, span: NameSpan): RawBuilder<unknown> {
  const { after, last } = span;
  const parts = [condition(query, span), isByOffer(query) ? sql`model <> ''` : sql`model = ''`];
  if (after) parts.push(sql`(provider, model) > (${after.provider}, ${after.model})`);
  if (last) parts.push(sql`(provider, model) <= (${last.provider}, ${last.model})`);
  return sql.join(parts, sql` and `);
}

const nameQuery = (query: HistoryQuery, after: OfferName | undefined) => sql<OfferName>`
  select provider, model from offer_days where ${ofOffers(query, { after })} and attempts > 0
  group by provider, model order by provider, model limit ${query.limit + 1}`;

const modelOf = ({ by }: HistoryQuery): RawBuilder<unknown> => (by === 'offer' ? sql`model` : sql`null::text`);

const counts = sql`attempts::double precision as attempts, failed::double precision as failed`;

const dayQuery = (query: HistoryQuery, span: NameSpan) => sql<DayRow>`
  with counted as (
    select * from offer_days where ${ofOffers(query, span)} and attempts > 0 limit ${mostRows}
  ), measured as materialized (
    select at, provider, model, latency::text from offer_histogram_days where ${ofOffers(query, span)}
  )
  select ${dayColumn} as day, provider, ${modelOf(query)} as model, ${counts},
    rescued::double precision as rescued, measured.latency
  from counted left join measured using (at, provider, model)
  order by at desc, provider, counted.model`;

const hourQuery = (query: HistoryQuery, span: NameSpan) => {
  const [hours, model, of] = isByOffer(query)
    ? [sql`offer_hours`, modelOf(query), ofOffers(query, span)]
    : [sql`provider_hours`, sql`null::text`, afterProvider(query, span)];
  return sql<Omit<HealthHour, 'model'> & { model: string | null }>`
    select * from (
      select at, provider, ${model} as model, ${counts} from ${hours} where ${isIllSql('attempts', 'failed')} and ${of}
      order by at desc limit ${mostHours}
    ) as newest order by provider, model, at`;
};

const afterProvider = (query: HistoryQuery, span: NameSpan): RawBuilder<unknown> =>
  sql`${condition(query, span)} and provider > ${span.after?.provider ?? ''}`;

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
