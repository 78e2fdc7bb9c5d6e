import { openDatabase } from '../../packages/database/src/index.ts';
import { createMonths } from '../../services/ledger-svc/src/usage/partitions.ts';
import { rowsOfUsage } from '../../services/ledger-svc/src/usage/rows-of-usage.ts';
import { usageRecord } from '../../services/ledger-svc/src/usage/testing/usage-record.ts';
import { admitEndUsers } from '../../services/ledger-svc/src/usage/write-end-users.ts';
import { writeUsage } from '../../services/ledger-svc/src/usage/write-usage.ts';
import { startPostgres } from '../../tests/support/servers.ts';
import { median } from '../measure/stats.ts';

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
  const records = Array.from({ length: size }, (_, at) => recordOf(batch * size + at, kind === 'with'));
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

function recordOf(n: number, hasEndUser: boolean) {
  const key = Math.floor(1_000 * (((n * 7_919) % 10_007) / 10_007) ** 3);
  const offer = Math.floor(400 * (((key * 104_729 + (n % 3)) % 10_007) / 10_007) ** 2);
  const provider = `provider-${offer % 30}`;
  return usageRecord({
    at: new Date(Date.UTC(2026, 10, 10) + n * 400).toISOString(),
    accountId: n % 5 === 0 ? `account-${n % 50}` : 'account',
    keyId: `key-${key}`,
    model: `model-${Math.floor(offer / 3)}`,
    provider,
    attempts: [{ provider, status: 200, error: 'none', ms: 300 + (n % 997) }],
    durationMs: 300 + (n % 997),
    firstByteMs: 100 + (n % 97),
    stream: n % 2 === 0,
    ...(hasEndUser && { endUser: `user ${n % endUsersOfKey} of ${key}` }),
    ...(n % 5 !== 0 && key % 4 === 0 && { projectId: `project-${key % 30}` }),
  });
}
