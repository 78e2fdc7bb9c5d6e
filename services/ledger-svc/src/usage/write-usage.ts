import { type Queries, type RawBuilder, sql } from '@tallyport/database';
import type { UsageRows } from './rows-of-usage.ts';
import { requestCounts } from './sums.ts';
import { usageColumns } from './usage-columns.ts';
import { addToEndUsers } from './write-end-users.ts';
import { addToOffers } from './write-offer-hours.ts';
import { addToProjectTallies, addToTallies } from './write-tallies.ts';

/**
 * Writes new records and adds them to the hourly and daily sums and to the tallies, and those of projects also to theirs,
 * atomically; records written before are ignored.
 * Returns the number of new records. The months' partitions must exist.
 */
export async function writeUsage(queries: Queries, { query, haveProjects, haveEndUsers }: UsageRows): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    with fresh as (
      insert into usage_records (${names}) select ${names} from (${query}) as entry order by at, id
      on conflict do nothing
      returning *
    ), ${haveProjects ? addFresh() : addFreshOfAccounts()}${haveEndUsers ? sql`, ${addToEndUsers}` : sql``}
    select count(*) from fresh`.execute(queries);
  return Number(rows[0]?.count ?? 0);
}

/** Adds the records of `fresh` to all sums and tallies: the parts of a `with` clause. */
export const addFresh = (): RawBuilder<unknown> => sql`
  ${addToSums(ofAccounts)}, ${addToSums(ofProjects)}, ${addToTallies}, ${addToProjectTallies}, ${addToOffers}`;

/** For records without projects: the embedded database plans the other parts in the time of forty records. */
const addFreshOfAccounts = (): RawBuilder<unknown> => sql`
  ${addToSums(ofAccounts)}, ${addToTallies}, ${addToOffers}`;

const names = sql.raw(usageColumns.map(({ name }) => name).join(', '));

/** SQL: what is added up of the records of an hour or a day. */
export const summedExpressions: readonly (readonly [name: string, expression: string])[] = [
  ...Object.entries(requestCounts),
  ...usageColumns.flatMap(({ name, summed, type }) =>
    summed ? [[name, `coalesce(sum(${name}), 0)::${type}`] as const] : [],
  ),
];

/** The columns of sums that are added up. */
export const summedColumns = summedExpressions.map(([name]) => name);

interface SumsTables {
  hours: string;
  days: string;
  /** The columns of their primary keys, in the order in which rows are updated. */
  key: readonly string[];
  /** The columns that follow from these. */
  also: readonly string[];
  /** The records that are added. */
  of: string;
}

const use = ['at', 'key_id', 'model', 'provider', 'own_key'];
const ofAccounts: SumsTables = {
  hours: 'usage_hours',
  days: 'usage_days',
  key: ['account_id', ...use],
  also: [],
  of: 'true',
};
const ofProjects: SumsTables = {
  hours: 'project_hours',
  days: 'project_days',
  key: ['project_id', ...use],
  also: ['account_id'],
  of: 'project_id is not null',
};

/**
 * Adds up the records of each hour, and these sums to those of the days. All replicas update rows in the same order, so
 * that concurrent writes wait for each other without a deadlock.
 */
function addToSums({ hours, days, key, also, of }: SumsTables): RawBuilder<unknown> {
  const columns = [...key, ...also];
  const numbers = columns.map((_, at) => at + 1).join(', ');
  const startOf = (unit: 'hour' | 'day'): string =>
    columns.map((name) => (name === 'at' ? `date_trunc('${unit}', at, 'UTC') as at` : name)).join(', ');
  const insertInto = (table: string, rows: string): string => `
    insert into ${table} (${[...columns, ...summedColumns].join(', ')}) ${rows} order by ${numbers}
    on conflict (${key.join(', ')}) do update set
      ${summedColumns.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`;
  return sql.raw(`
    new_${hours} as materialized (
      select ${startOf('hour')}, ${summedExpressions.map(([name, expression]) => `${expression} as ${name}`).join(', ')}
      from fresh where ${of} group by ${numbers}
    ),
    ${hours} as (${insertInto(hours, `select * from new_${hours}`)}),
    ${days} as (${insertInto(
      days,
      `select ${startOf('day')}, ${summedColumns.map((name) => `sum(${name})`).join(', ')}
       from new_${hours} group by ${numbers}`,
    )})`);
}
