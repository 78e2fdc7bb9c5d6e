import { type Database, sql } from '../../packages/database/src/index.ts';
import { usageColumns } from '../../services/ledger-svc/src/usage/usage-columns.ts';
import { addFresh } from '../../services/ledger-svc/src/usage/write-usage.ts';
import { createMonths, monthOf } from '../../services/ledger-svc/src/usage/partitions.ts';
import { keysOfLarge, largeAccount, otherAccounts, projects } from './fill-people.ts';

const dayMs = 86_400_000;

interface Ledger {
  rows: number;
  days: number;
  now: Date;
}

/**
 * Writes the records of each day by one statement and adds them to the sums by the statements of the ledger's writer.
 * The indexes are created afterwards, which is faster than to add to them row by row.
 */
export async function fillRecords(database: Database, { rows, days, now }: Ledger): Promise<void> {
  const { kysely } = database;
  const starts = Array.from({ length: days }, (_, at) => new Date(now.getTime() - (days - at) * dayMs));
  await createMonths(database, [...new Set([...starts, now].map(monthOf))]);
  const indexes = await dropIndexes(database);
  let first = 0;
  for (const [day, start] of starts.entries()) {
    const next = Math.round((rows * (day + 1)) / days);
    const requests = drawn(first, next);
    await kysely.transaction().execute(async (transaction) => {
      await sql`select setseed(${sql.lit(day / 1_000)})`.execute(transaction);
      await sql`with fresh as (
        insert into usage_records (${names}) select ${values(start)} from ${requests} returning *
      ), ${addFresh()} select 1`.execute(transaction);
    });
    first = next;
  }
  for (const index of indexes) await sql.raw(index).execute(kysely);
}

/** Drops the indexes of the records other than the primary key, and returns the statements that create them. */
async function dropIndexes({ kysely }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'usage_records'::regclass and not indisprimary`.execute(kysely);
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(kysely);
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}

/**
 * One row for each request, with what was drawn for it. Accounts, keys and offers differ in size by orders of magnitude;
 * a key uses up to three of 400 offers.
 */
const drawn = (first: number, next: number) => sql`(
  select *, case when offer < 390 then 'chat' when offer < 397 then 'embeddings' else 'image_generation' end as operation,
    'provider-' || offer * 7 % 30 as provider_of_offer, ending in ('done', 'client_gone') and not cached as called
  from (
    select *, floor(power((key * 7919 + floor(power(r3, 2) * 3)::int * 104729) % 10007 / 10007.0, 2) * 400)::int as offer,
      case when r4 < 0.03 then 'refused' when r4 < 0.045 then 'error' when r4 < 0.055 then 'client_gone' else 'done' end as ending,
      r4 > 0.96 as cached, r5 < 0.6 as stream, (400 + 900 * r5) * (0.5 - ln(1 - r6 * 0.999)) as ms, exp(5 + 4 * r7)::int as prompt
    from (
      select *, case when r1 < 0.8 then floor(power(r2, 3) * ${sql.lit(keysOfLarge)})::int
        else ${sql.lit(keysOfLarge)} + floor(power(r2, 3) * ${sql.lit(otherAccounts * 5)})::int end as key
      from (
        select n, random() as r0, random() as r1, random() as r2, random() as r3, random() as r4, random() as r5,
          random() as r6, random() as r7
        from generate_series(${sql.lit(first)}::bigint, ${sql.lit(next - 1)}::bigint) as n offset 0
      ) as drawn offset 0
    ) as keyed offset 0
  ) as offered offset 0
) as request`;

const rescued = `r6 > 0.99`;
const tokens = `prompt::numeric * 0.000001 + prompt % 900 * 0.000004`;

/** The SQL of the columns that are not 0, false or null. More requests come at some hours than at others. */
const expressions = (start: Date): Record<string, string> => ({
  id: `'use_' || md5(n::text)`,
  request_id: `'req_' || md5('request ' || n)`,
  at: `date_trunc('milliseconds', '${start.toISOString()}'::timestamptz + (r0 + 0.12 * sin(2 * pi() * r0)) * interval '1 day')`,
  account_id: `case when key < ${keysOfLarge} then '${largeAccount}' else 'account_' || (key - ${keysOfLarge}) / 5 end`,
  key_id: `'key_bench_' || key`,
  project_id: `case when key < ${keysOfLarge} and key % 4 = 0 then 'project_bench_' || key % ${projects} end`,
  operation: 'operation',
  requested_model: `'model-' || offer / 3`,
  model: `'model-' || offer / 3`,
  provider: `case when called then provider_of_offer else '' end`,
  attempts: `case when cached or ending = 'refused' then '[]'::jsonb
    when ending = 'error' then jsonb_build_array(${attempt('provider_of_offer', 500, 'provider_error')})
    when ${rescued} then jsonb_build_array(${attempt(`'provider-30'`, 503, 'provider_unavailable')}, ${attempt('provider_of_offer', 200, 'none')})
    else jsonb_build_array(${attempt('provider_of_offer', 200, 'none')}) end`,
  input_tokens: 'case when called then prompt else 0 end',
  output_tokens: 'case when called then prompt % 900 else 0 end',
  cost: `case when called then ${tokens} when operation = 'embeddings' and cached then null else 0 end`,
  costs: `case when called then jsonb_build_object('input', (prompt::numeric * 0.000001)::text, 'output', (prompt % 900 * 0.000004)::text)
    else '{}' end`,
  price_version: `'2026-11-01'`,
  source: `case when called then 'reported' else 'none' end`,
  flags: `'[]'`,
  cached: `cached and ending = 'done'`,
  stream: `stream and operation = 'chat'`,
  duration_ms: `case when called or ending = 'error' then round(ms::numeric, 1) else 2.5 end`,
  first_byte_ms: `case when called and stream and operation = 'chat' then round(ms::numeric / 3, 1) end`,
  end_reason: 'ending',
  status: `case ending when 'refused' then case when r7 < 0.9 then 429 else 402 end when 'error' then 502 when 'client_gone' then 499 else 200 end`,
  error: `case ending when 'refused' then case when r7 < 0.9 then 'rate_limit_exceeded' else 'budget_exceeded' end
    when 'error' then case when r7 < 0.001 then 'provider_timeout' else 'all_providers_failed' end
    when 'client_gone' then 'client_closed_request' end`,
  details: `jsonb_build_object('planMs', 1.2, 'cache', case when cached then 'hit' else 'miss' end)`,
});

const attempt = (provider: string, status: number, error: string): string =>
  `jsonb_build_object('provider', ${provider}, 'status', ${status}, 'error', '${error}', 'ms', round(ms::numeric, 1), 'startMs', 1.3, 'reason', 'best score', 'score', 0.71)`;

const absent: Readonly<Record<string, string>> = { bigint: '0', boolean: 'false', numeric: '0' };

const names = sql.raw(usageColumns.map(({ name }) => name).join(', '));

function values(start: Date) {
  const known = expressions(start);
  return sql.raw(usageColumns.map(({ name, type }) => known[name] ?? absent[type] ?? 'null').join(', '));
}
