import type { UsageRecord } from '@switchyard/contracts';
import { type Queries, type RawBuilder, sql } from '@switchyard/database';
import { requestCounts } from './sums.ts';
import { usageColumns } from './usage-columns.ts';
import { addToOfferHours, addToOfferLatencies } from './write-offer-hours.ts';
import { addToTallies } from './write-tallies.ts';

/**
 * Writes new records and adds them to the hourly and daily sums and to the tallies, atomically; records written before are ignored.
 * Returns the number of new records. The months' partitions must exist.
 */
export async function writeUsage(queries: Queries, records: readonly UsageRecord[]): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    with entry as (
      select distinct on (at, id) *
      from jsonb_to_recordset(${JSON.stringify(records.map(rowOf))}::jsonb) as entry (${definitions})
      order by at, id
    ), fresh as (
      insert into usage_records (${names}) select ${names} from entry order by at, id
      on conflict do nothing
      returning *
    ), hours as (${addToSums('usage_hours', 'hour')}), days as (${addToSums('usage_days', 'day')}),
    tallies as (${addToTallies}),
    offers as (${addToOfferHours}), latencies as (${addToOfferLatencies})
    select count(*) from fresh`.execute(queries);
  return Number(rows[0]?.count ?? 0);
}

const definitions = sql.raw(usageColumns.map(({ name, type }) => `${name} ${type}`).join(', '));
const names = sql.raw(usageColumns.map(({ name }) => name).join(', '));

function rowOf(record: UsageRecord): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const { name, valueIn } of usageColumns) row[name] = valueIn(record);
  return row;
}

const sums: readonly (readonly [name: string, expression: string])[] = [
  ...Object.entries(requestCounts),
  ...usageColumns.flatMap(({ name, summed }) => (summed ? [[name, `coalesce(sum(${name}), 0)`] as const] : [])),
];

const place = 'account_id, at, key_id, model, provider, own_key';

/** All replicas update rows in the same order, so that concurrent writes wait for each other without a deadlock. */
const addToSums = (table: string, unit: 'hour' | 'day'): RawBuilder<unknown> =>
  sql.raw(`
    insert into ${table} (${place}, ${sums.map(([name]) => name).join(', ')})
    select account_id, date_trunc('${unit}', at, 'UTC'), key_id, model, provider, own_key,
      ${sums.map(([, expression]) => expression).join(', ')}
    from fresh group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (${place}) do update set
      ${sums.map(([name]) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`);
