import { openDatabase, type Queries, sql } from '../../packages/database/src/index.ts';
import { createMonths } from '../../services/ledger-svc/src/usage/partitions.ts';
import { readUsage } from '../../services/ledger-svc/src/usage/read-usage.ts';
import { startPostgres } from '../../tests/support/servers.ts';
import { median } from '../measure/stats.ts';

/** Time to read an account's usage by day, model and key, with a million requests in thirty days. */
const rows = 1_000_000;
const rowsAtOnce = 50_000;

const postgres = await startPostgres();
const database = await openDatabase({ url: postgres.url });
await database.migrate();
await fill(database.kysely);
await sql`analyze usage_days`.execute(database.kysely);
const question = { accountId: 'account-1', from: new Date('2026-11-01'), until: new Date('2026-12-01') };
for (const grouping of ['day', 'model', 'key'] as const) {
  const times: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const startedAt = performance.now();
    await readUsage(database, question, grouping);
    times.push(performance.now() - startedAt);
  }
  console.log(`${median(times).toFixed(1)} ms by ${grouping} over 30 days, of ${rows} rows in the ledger`);
}
await database.close();
await postgres.stop();

/** Fills the ledger with ten accounts of twenty keys, and ten models at three providers, spread over a month. */
async function fill(kysely: Queries): Promise<void> {
  await createMonths(database, ['2026-11']);
  for (let from = 0; from < rows; from += rowsAtOnce) {
    await sql`insert into usage_records select
      'use_' || n, '2026-11-01'::timestamptz + n * interval '2.59 seconds', 'req_' || n, 'account-' || n % 10, 'key-' || n % 200,
      'chat', 'model', 'model-' || (n / 7) % 10, 'provider-' || (n / 3) % 3, '[]', 1000, 0, 0, 500, 0, 0, 0, 0,
      0.001, '{}', 'v1', 'reported', '[]', false, false, true, 1000, 100, 'done'
      from generate_series(${sql.lit(from)}, ${sql.lit(from + rowsAtOnce - 1)}) as n`.execute(kysely);
  }
  for (let day = 1; day <= 30; day += 1) {
    const from = `2026-11-${String(day).padStart(2, '0')}`;
    for (const [table, unit] of [
      ['usage_hours', 'hour'],
      ['usage_days', 'day'],
    ] as const)
      // prettier-ignore
      await sql`insert into ${sql.table(table)} select account_id, date_trunc(${unit}, at, 'UTC'), key_id, model, provider, own_key,
        count(*), 0, 0, 0, sum(input_tokens), 0, 0, sum(output_tokens), 0, 0, 0, 0, sum(cost), sum(duration_ms)
        from usage_records where at >= ${from}::timestamptz and at < ${from}::timestamptz + interval '1 day'
        group by 1, 2, 3, 4, 5, 6`.execute(kysely);
  }
}
