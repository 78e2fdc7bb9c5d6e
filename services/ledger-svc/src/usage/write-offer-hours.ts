import { sql } from '@tallyport/database';
import { bucketOf } from './histogram.ts';

/**
 * The calls of providers in new records (`fresh`). As for the uptime of routing, only faults of the provider count: not a
 * client's own error, and not a rejection of an account's own key.
 */
const calls = sql.raw(`calls as materialized (
  select date_trunc('hour', record.at, 'UTC') as at, call.provider, record.model, call.ms, call.error <> 'none' as failed,
    record.provider <> '' and record.end_reason = 'done' as answered, coalesce(call."ownKey", false) as own
  from fresh as record cross join lateral jsonb_to_recordset(record.attempts)
    as call (provider text, error text, ms double precision, "ownKey" boolean)
  where call.error = 'none' or call.error like 'provider\\_%'
)`);

/** Adds `calls` to the hours of the offers, in an order that is the same for all replicas, or subtracts them. */
const changeOfferHours = (sign: '' | '-') =>
  sql.raw(`
  insert into offer_hours (at, provider, model, attempts, failed, rescued, own_attempts, own_failed)
  select at, provider, model, ${sign}count(*), ${sign}count(*) filter (where failed),
    ${sign}count(*) filter (where failed and answered), ${sign}count(*) filter (where own),
    ${sign}count(*) filter (where own and failed)
  from calls group by 1, 2, 3 order by 1, 2, 3
  on conflict (at, provider, model) do update set attempts = offer_hours.attempts + excluded.attempts,
    failed = offer_hours.failed + excluded.failed, rescued = offer_hours.rescued + excluded.rescued,
    own_attempts = offer_hours.own_attempts + excluded.own_attempts,
    own_failed = offer_hours.own_failed + excluded.own_failed`);

const changeOfferLatencies = (sign: '' | '-') =>
  sql.raw(`
  insert into offer_latencies (at, provider, model, bucket, attempts)
  select at, provider, model, ${bucketOf('ms')}, ${sign}count(*)
  from calls where not failed group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (at, provider, model, bucket) do update set attempts = offer_latencies.attempts + excluded.attempts`);

const change = (sign: '' | '-') => sql`
  ${calls}, offers as (${changeOfferHours(sign)}), latencies as (${changeOfferLatencies(sign)})`;

/** Adds the calls of new records (`fresh`) to the hours of the offers: the parts of a `with` clause. */
export const addToOffers = change('');

/** For records that are deleted. A row without any calls is left with 0 attempts, or fewer if it had been deleted. */
export const takeFromOffers = change('-');
