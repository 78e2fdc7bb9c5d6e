import { sql } from '@switchyard/database';
import { bucketOf } from './histogram.ts';

/** What is counted by value: times and speeds in buckets, and the codes of errors. */
export const measures = ['duration', 'first_byte', 'speed', 'error'] as const;
export type Measure = (typeof measures)[number];

const answered = `end_reason = 'done' and not cached`;

/** Of streams, in tokens per second from the first content to the end. */
const speed = `(output_tokens + reasoning_tokens) * 1000 / (duration_ms - first_byte_ms)`;

/** The value of a measure, or null where a request has none. Times count for requests that a provider answered. */
const values: Readonly<Record<Measure, string>> = {
  duration: `case when ${answered} then ${bucketOf('duration_ms')}::text end`,
  first_byte: `case when ${answered} and stream then ${bucketOf('first_byte_ms')}::text end`,
  speed: `case when ${answered} and stream and duration_ms > first_byte_ms and output_tokens + reasoning_tokens > 0
    then ${bucketOf(speed)}::text end`,
  error: `error`,
};

const place = 'account_id, at, key_id, model, provider, measure, value';

/** Adds new records (`fresh`) to the tallies of their hour, in an order that is the same for all replicas. */
export const addToTallies = sql.raw(`
  insert into usage_tallies (${place}, requests)
  select account_id, date_trunc('hour', at, 'UTC'), key_id, model, provider, tally.measure, tally.value, count(*)
  from fresh cross join lateral (values ${measures.map((name) => `('${name}', ${values[name]})`).join(', ')})
    as tally (measure, value)
  where tally.value is not null group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (${place}) do update set requests = usage_tallies.requests + excluded.requests`);
