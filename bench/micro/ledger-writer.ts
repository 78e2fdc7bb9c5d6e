import { openDatabase } from '../../packages/database/src/index.ts';
import { createMonths } from '../../services/ledger-svc/src/usage/partitions.ts';
import { rowsOfUsage } from '../../services/ledger-svc/src/usage/rows-of-usage.ts';
import { admitEndUsers } from '../../services/ledger-svc/src/usage/write-end-users.ts';
import { writeUsage } from '../../services/ledger-svc/src/usage/write-usage.ts';
import { startPostgres } from '../../tests/support/servers.ts';
import { median } from '../measure/stats.ts';
import { ledgerRecord } from '../support/ledger-record.ts';

/**
 * Time to write a batch of 500 records of fifty accounts, a thousand keys and 400 offers into a ledger with some hours. In
 * every other batch, all records name an end user, of whom each key has this many.
 */
const size = 500;
const batches = 240;
const warmUp = 80;
const endUsersOfKey = Number(process.argv[2] ?? 2);

const postgres = await startPostgres();
const database = await openDatabase({ url: postgres.url });
await database.migrate();
await createMonths(database, ['2026-11']);
const times = { without: [] as number[], with: [] as number[] };
for (let batch = 0; batch < batches; batch += 1) {
  const kind = batch % 2 === 0 ? 'without' : 'with';
  const records = Array.from({ length: size }, (_, at) =>
    ledgerRecord(batch * size + at, kind === 'with' ? endUsersOfKey : 0),
  );
  const startedAt = performance.now();
  const rows = await rowsOfUsage(records);
  await database.kysely.transaction().execute(async (transaction) => {
    if (rows.haveEndUsers) await admitEndUsers(transaction, records);
    await writeUsage(transaction, rows);
  });
  if (batch >= warmUp) times[kind].push(performance.now() - startedAt);
}
for (const kind of ['without', 'with'] as const) {
  const ms = median(times[kind]);
  const each = ((ms * 1_000) / size).toFixed(0);
  console.log(`${kind} end users: ${ms.toFixed(1)} ms per batch of ${size} records, ${each} µs per record`);
}
await database.close();
await postgres.stop();
