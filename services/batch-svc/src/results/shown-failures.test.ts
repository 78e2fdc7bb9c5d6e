import { type Database, sql } from '@tallyport/database';
import { openMigrated } from '@tallyport/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dropParts, mostShownFailures } from './shown-failures.ts';

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, close } = await openMigrated());
  await database.kysely.insertInto('accounts').values({ id: 'default', name: 'Default' }).execute();
});
afterAll(() => close());

const [parts, linesOfPart] = [10, 20];

/** Every line has failed. */
async function makeBatch(id: string): Promise<void> {
  await sql`insert into batches (id, account_id, key_id, api, endpoint, headers, state, input_file_id, expires_at)
    values (${id}, 'default', 'key', 'batches', '/v1/chat/completions', '{}', 'finalizing', 'file', now())`.execute(
    database.kysely,
  );
  await sql`insert into batch_parts (batch_id, number, start_byte, end_byte, first_line, last_line, lines)
    select ${id}, part, 0, 1, part * ${linesOfPart} + 1, (part + 1) * ${linesOfPart}, ${linesOfPart}
    from generate_series(0, ${parts - 1}) part`.execute(database.kysely);
  await sql`insert into batch_lines (batch_id, line, custom_id, outcome, status, request_id, result)
    select ${id}, line, line::text, 'failed', 400, 'r', '' from generate_series(1, ${parts * linesOfPart}) line`.execute(
    database.kysely,
  );
}

test('results are removed a part at a time, and the first failures stay', async () => {
  const { kysely } = database;
  await makeBatch('batch_1');
  await makeBatch('batch_2');
  await sql`create function slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.01); return old; end $$`.execute(kysely);
  await sql`create trigger slow before delete on batch_lines for each row execute function slow()`.execute(kysely);
  await kysely.transaction().execute(async (transaction) => {
    // All of them would take at least a second.
    await sql`set local statement_timeout = 900`.execute(transaction);
    await dropParts(transaction, 'batch_1');
  });
  const kept = await sql<{ id: string; lines: number; last: number }>`
    select batch_id as id, count(*)::int as lines, max(line) as last from batch_lines group by 1 order by 1`.execute(
    kysely,
  );
  expect(kept.rows).toEqual([
    { id: 'batch_1', lines: mostShownFailures, last: mostShownFailures },
    { id: 'batch_2', lines: parts * linesOfPart, last: parts * linesOfPart },
  ]);
  const left = await kysely.selectFrom('batch_parts').select('batch_id').distinct().execute();
  expect(left).toEqual([{ batch_id: 'batch_2' }]);
});
