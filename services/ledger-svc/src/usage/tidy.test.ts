import { openDatabase, sql } from '@tallyport/database';
import { createTestDatabase } from '@tallyport/database/testing';
import { expect, test } from 'vitest';
import { expiringTables } from './tidy.ts';

test('the rows of every table that expire are found by an index of their time', async () => {
  const place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const database = await openDatabase({ url: place.url });
  await database.migrate();
  const { rows } = await sql<{ name: string }>`
    select indrelid::regclass::text as name from pg_index
    where indpred is null and pg_get_indexdef(indexrelid, 1, true) = 'at'`.execute(database.kysely);
  const indexed = new Set(rows.map(({ name }) => name));
  expect(expiringTables.filter((name) => !indexed.has(name))).toEqual([]);
  await database.close();
  await place.drop();
});
