import type { UsageRecord } from '@switchyard/contracts';
import { type Queries, type RawBuilder, sql } from '@switchyard/database';
import { requestCounts } from './sums.ts';
import { usageColumns } from './usage-columns.ts';
import { addToOfferHours, addToOfferLatencies } from './write-offer-hours.ts';
import { addToProjectTallies, addToTallies } from './write-tallies.ts';

/**
 * Writes new records and adds them to the hourly and daily sums and to the tallies, and those of projects also to theirs,
 * atomically; records written before are ignored.
 * Returns the number of new records. The months' partitions must exist.
 */
export async function writeUsage(queries: Queries, records: readonly UsageRecord[]): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    with entry as (
      select distinct on (at, id) *
      from json_to_recordset(${JSON.stringify(records.map(rowOf))}::json) as entry (${definitions})
      order by at, id
    ), fresh as (
      insert into usage_records (${names}) select ${names} from entry order by at, id
      on conflict do nothing
      returning *
    ), ${addFresh()}
    select count(*) from fresh`.execute(queries);
  return Number(rows[0]?.count ?? 0);
}

/** Adds the records of `fresh` to all sums and tallies: the parts of a `with` clause. */
export const addFresh = (): RawBuilder<unknown> => sql`
  hours as (${addToSums(ofAccount('usage_hours'), 'hour')}), days as (${addToSums(ofAccount('usage_days'), 'day')}),
  project_hour as (${addToSums(ofProject('project_hours'), 'hour')}),
  project_day as (${addToSums(ofProject('project_days'), 'day')}),
  tallies as (${addToTallies}), project_tally as (${addToProjectTallies}),
  offers as (${addToOfferHours}), latencies as (${addToOfferLatencies})`;

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

/** The columns of sums that are added up. */
export const summedColumns = sums.map(([name]) => name);

interface SumsTable {
  table: string;
  /** The columns of its primary key, in the order in which rows are updated. */
  key: readonly string[];
  /** The columns that follow from these. */
  also: readonly string[];
  /** The records that are added. */
  of: string;
}

const use = ['at', 'key_id', 'model', 'provider', 'own_key'];
const ofAccount = (table: string): SumsTable => ({ table, key: ['account_id', ...use], also: [], of: 'true' });
const ofProject = (table: string): SumsTable => ({
  table,
  key: ['project_id', ...use],
  also: ['account_id'],
  of: 'project_id is not null',
});

/** All replicas update rows in the same order, so that concurrent writes wait for each other without a deadlock. */
function addToSums({ table, key, also, of }: SumsTable, unit: 'hour' | 'day'): RawBuilder<unknown> {
  const columns = [...key, ...also];
  const values = columns.map((name) => (name === 'at' ? `date_trunc('${unit}', at, 'UTC')` : name));
  const numbers = columns.map((_, at) => at + 1).join(', ');
  return sql.raw(`
    insert into ${table} (${columns.join(', ')}, ${sums.map(([name]) => name).join(', ')})
    select ${values.join(', ')}, ${sums.map(([, expression]) => expression).join(', ')}
    from fresh where ${of} group by ${numbers} order by ${numbers}
    on conflict (${key.join(', ')}) do update set
      ${sums.map(([name]) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`);
}
