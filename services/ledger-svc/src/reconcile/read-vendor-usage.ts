import {
  type CostClass,
  countFields,
  GatewayError,
  namesOf,
  tokenClasses,
  type VendorUsage,
  type VendorUsageQuery,
} from '@tallyport/contracts';
import { type Database, type RawBuilder, sql } from '@tallyport/database';
import { dayMs, dayOf } from '../usage/days.ts';
import { tokenColumn } from '../usage/usage-columns.ts';

/** Requests that ended so close to midnight may be on another day by the vendor's clock. */
const nearMidnightMinutes = 5;

const mostDays = 92;
const mostRows = 50_000;

/** How a call failed that the provider may have counted: it had the request, and we have no usage. */
const countedFailures = [
  'provider_timeout',
  'provider_connection_failed',
  'provider_bad_response',
  'provider_truncated',
  'provider_server_error',
  'caller_cancelled',
  'gateway_internal',
];

/**
 * Reads what the ledger recorded of a provider from single records, which know classes, keys and times: day by day, because
 * one statement over months of records would exceed the time limit of statements.
 */
export async function readVendorUsage(
  { kysely }: Database,
  query: VendorUsageQuery,
  { most = mostRows, signal }: ReadingLimits = {},
): Promise<VendorUsage> {
  const found: VendorUsage = { uses: [], days: [] };
  for (const day of daysOf(query)) {
    if (signal?.aborted === true) throw tooSlow();
    const room = most - found.uses.length;
    const { rows } = await dayQuery({ ...query, day, most: room + 1 }).execute(kysely);
    const [{ uses, days, complete } = emptyDay] = rows;
    if (uses.length > room) throw wrongPeriod('The period has too much usage. Choose fewer days.');
    if (!complete && day >= query.from && day <= query.to)
      throw wrongPeriod('Single records of some of these days are not kept any more. Begin later.');
    found.uses.push(...uses);
    found.days.push(...days);
  }
  return found;
}

interface ReadingLimits {
  most?: number;
  /** Ends the reading before the next day. */
  signal?: AbortSignal;
}

interface VendorDay extends VendorUsage {
  /** Whether all records of the day are kept. */
  complete: boolean;
}

const emptyDay: VendorDay = { uses: [], days: [], complete: true };

/** The days of the period and those beside it. */
function daysOf(query: VendorUsageQuery): string[] {
  return Array.from({ length: checkedDays(query) + 2 }, (_, at) => dayOf(new Date(startOf(query.from, at - 1))));
}

/** The number of days. Throws `invalid_parameters` for a period that is backwards or too long. */
export function checkedDays({ from, to }: Pick<VendorUsageQuery, 'from' | 'to'>): number {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) throw wrongPeriod('from must not be after to.');
  if (days > mostDays) throw wrongPeriod(`from and to must be at most ${mostDays} days apart.`);
  return days;
}

const wrongPeriod = (message: string): GatewayError =>
  new GatewayError('invalid_parameters', message, { param: 'from' });

const tooSlow = (): GatewayError =>
  new GatewayError(
    'deadline_exceeded',
    'The ledger has too many records of these days. Choose fewer days, or use npm run reconcile.',
  );

const startOf = (day: string, daysLater = 0): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + daysLater * dayMs).toISOString();

type DayQuery = Pick<VendorUsageQuery, 'provider' | 'accountId'> & { day: string; most: number };

/** SQL: the usage of one day, from records that are read once. */
const dayQuery = (query: DayQuery): RawBuilder<VendorDay> => sql<VendorDay>`
  with called as materialized (${recordsOf(query)}), uses as (${selectUses(query.most)}), days as (${selectDays(query.provider)})
  select coalesce((select jsonb_agg(uses) from uses), '[]') as uses,
    coalesce((select jsonb_agg(days) from days), '[]') as days, ${isComplete(query)} as complete`;

/** SQL: the records with a call of the provider. */
const recordsOf = ({ provider, day, accountId }: DayQuery): RawBuilder<unknown> => sql`
  select record.*, to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day,
    date_trunc('day', at, 'UTC') as midnight, at - make_interval(secs => duration_ms / 1000) as started,
    provider = ${provider} and not cached as served,
    coalesce(attempts -> -1 ->> 'ownKeyId', '') as own_key_id
  from usage_records as record
  where ${within(day)} and attempts @> ${JSON.stringify([{ provider }])}::jsonb
    and ${paidBy(accountId)}`;

const within = (day: string) => sql`at >= ${startOf(day)}::timestamptz and at < ${startOf(day, 1)}::timestamptz`;

const paidBy = (accountId: string | undefined) =>
  accountId === undefined ? sql`not own_key` : sql`own_key and account_id = ${accountId}`;

const near = sql.lit(`${nearMidnightMinutes} minutes`);

/** Every class of cost with its units in a record: name, amount and count. */
const classes = sql.raw(
  [
    ...tokenClasses.map((name) => unit(name, tokenColumn(name))),
    ...namesOf(countFields).map((name) => unit(name, countFields[name].name)),
    unit('request', '1'),
    unit('vendor', '0'),
  ].join(', '),
);

function unit(name: CostClass, count: string): string {
  return `('${name}', coalesce((costs ->> '${name}')::numeric, 0), ${count}::numeric)`;
}

const money = (condition: RawBuilder<unknown>) =>
  sql`trim_scale(coalesce(sum(amount) filter (where cost is not null and ${condition}), 0))::text`;

const selectUses = (most: number) => sql`
  select day, model, billed_class as "billedClass", own_key_id as "keyId", ${money(sql`true`)} as cost,
    sum(quantity)::double precision as quantity, ${money(sql`source = 'estimated'`)} as estimated,
    coalesce(sum(quantity) filter (where cost is null), 0)::double precision as unpriced,
    ${money(sql`started < midnight or at < midnight + interval ${near}`)} as "fromDayBefore",
    ${money(sql`at >= midnight + interval '1 day' - interval ${near}`)} as "toDayAfter"
  from called cross join lateral (values ${classes}) as of_class(billed_class, amount, quantity)
  where served and (amount <> 0 or (quantity <> 0 and billed_class <> 'request'))
  group by day, model, billed_class, own_key_id order by 1, 2, 3, 4 limit ${most}`;

const selectDays = (provider: string) => sql`
  select day, model, count(*) filter (where served)::double precision as requests,
    coalesce(sum(failures), 0)::double precision as failed,
    count(*) filter (where served and (cost is null or flags::text like '%unpriced%'))::double precision as unpriced,
    coalesce(array_agg(distinct tier) filter (where served and tier is not null), '{}') as tiers
  from called cross join lateral (
    select count(*) as failures from jsonb_array_elements(attempts) with ordinality as attempt(value, place)
    where value ->> 'provider' = ${provider} and value ->> 'error' = any(${countedFailures})
      and not (called.provider = ${provider} and source <> 'none' and place = jsonb_array_length(attempts))
  ) as attempts_of_provider
  group by day, model order by 1, 2 limit ${mostRows}`;

/** The daily sums are kept forever, so they show whether records are missing. */
const isComplete = ({ provider, day, accountId }: DayQuery) => sql`
  (select count(*) from called where served) >= (select coalesce(sum(requests - cached), 0) from usage_days
    where provider = ${provider} and ${within(day)} and ${paidBy(accountId)})`;
