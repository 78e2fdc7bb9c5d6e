import { type RawBuilder, sql } from '@tallyport/database';
import { bucketOf } from './histogram.ts';

/** What is counted by value: times and speeds in buckets, and the codes of errors. */
const measures = ['duration', 'first_byte', 'speed', 'error'] as const;
type Measure = (typeof measures)[number];

/** SQL: whether a provider answered, whose time counts. */
export const answered = `end_reason = 'done' and not cached`;

/** Of streams, in tokens per second from the first content to the end. */
const speed = `(output_tokens + reasoning_tokens) * 1000 / (duration_ms - first_byte_ms)`;

interface Counted {
  value: string;
  /** The records that have a value. Times count for requests that a provider answered. */
  of: string;
}

const counted: Readonly<Record<Measure, Counted>> = {
  duration: { value: bucketOf('duration_ms'), of: answered },
  first_byte: { value: bucketOf('first_byte_ms'), of: `${answered} and stream` },
  speed: {
    value: bucketOf(speed),
    of: `${answered} and stream and duration_ms > first_byte_ms and output_tokens + reasoning_tokens > 0`,
  },
  error: { value: 'error', of: 'error is not null' },
};

/** SQL: the histogram of a single record as text, empty if it has no such value. */
export function histogramOf(measure: Exclude<Measure, 'error'>): string {
  const { value, of } = counted[measure];
  return `case when ${of} and ${value} is not null then format('[%1$s:%1$s]={1}', ${value}) else '{}' end`;
}

interface TalliesTable {
  table: string;
  key: readonly string[];
  /** The columns that follow from the key. */
  also: readonly string[];
  /** The records that are counted. */
  of: string;
}

/** Adds new records (`fresh`) to the tallies of their hour, in an order that is the same for all replicas. */
function addTo({ table, key, also, of }: TalliesTable): RawBuilder<unknown> {
  const columns = [...key, ...also];
  const numbers = columns.map((_, at) => at + 1).join(', ');
  const newTallies = measures.map((measure) => {
    const { value, of: ofMeasure } = counted[measure];
    const expressions: Readonly<Record<string, string>> = {
      at: `date_trunc('hour', at, 'UTC')`,
      measure: `'${measure}'`,
      value: `(${value})::text`,
    };
    return `select ${columns.map((name) => expressions[name] ?? name).join(', ')}, count(*)
      from fresh where ${of} and ${ofMeasure} group by ${numbers}`;
  });
  return sql.raw(`${table} as (
    insert into ${table} (${columns.join(', ')}, requests) ${newTallies.join(' union all ')} order by ${numbers}
    on conflict (${key.join(', ')}) do update set requests = ${table}.requests + excluded.requests)`);
}

const use = ['at', 'key_id', 'model', 'provider', 'measure', 'value'];

export const addToTallies = addTo({ table: 'usage_tallies', key: ['account_id', ...use], also: [], of: 'true' });
export const addToProjectTallies = addTo({
  table: 'project_tallies',
  key: ['project_id', ...use],
  also: ['account_id'],
  of: 'project_id is not null',
});
