import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '../open-database.ts';
import { createTestDatabase } from '../testing/index.ts';
import { addUsageCount } from './add-usage-count.ts';

const tablesWith = async (kysely: Kysely<unknown>, column: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = ${column} order by table_name`.execute(kysely);
  return rows.map(({ name }) => name);
};

it('adds a count to records and to all sums, whose triggers add it up', async () => {
  const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const database = await openDatabase({ url });
  await database.migrate();
  const kysely = database.kysely as unknown as Kysely<unknown>;
  const tables = await tablesWith(kysely, 'audio_seconds');
  await kysely.transaction().execute((transaction) => addUsageCount(transaction, 'toys'));
  expect(await tablesWith(kysely, 'toys')).toEqual(tables);
  expect(tables).toContain('usage_records');

  const numbers = await sql<{ row: object }>`select jsonb_object_agg(column_name, 0) as row
    from information_schema.columns where table_name = 'usage_days' and data_type in ('bigint', 'numeric', 'double precision')`.execute(
    kysely,
  );
  for (const [at, toys] of Object.entries({ '2026-11-02T00:00Z': 2, '2026-11-03T00:00Z': 3 })) {
    const use = { account_id: 'acme', key_id: 'key_1', model: 'm', provider: 'p', own_key: false, at, toys };
    const row = JSON.stringify({ ...numbers.rows[0]?.row, ...use });
    await sql`insert into usage_days select * from jsonb_populate_record(null::usage_days, ${row}::jsonb)`.execute(
      kysely,
    );
  }
  const { rows } = await sql`select 'week' as of, toys::int from usage_summary_weeks where dimension = 'all'
    union all select 'offers', sum(toys)::int from usage_offer_days`.execute(kysely);
  expect(rows).toEqual([
    { of: 'week', toys: 5 },
    { of: 'offers', toys: 5 },
  ]);
  await database.close();
  await drop();
});
