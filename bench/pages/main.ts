import { parseArgs } from 'node:util';
import { openPostgres } from '../../packages/database/src/postgres.ts';
import { type Database, sql } from '../../packages/database/src/index.ts';
import { startDistributed } from '../../scripts/distributed/start.ts';
import { startPostgres, startRedis } from '../../tests/support/servers.ts';
import { describeMachine } from '../measure/machine.ts';
import { startBusServer } from '../support/nats.ts';
import { createUndo } from '../support/undo.ts';
import { fillPeople, openVisitors } from './fill-people.ts';
import { fillRecords } from './fill-records.ts';
import { type FirstBytes, measurePath } from './first-byte.ts';
import type { Quantiles } from '../measure/stats.ts';
import { measureLookUps, readReports } from './look-ups.ts';
import { measuredPaths } from './paths.ts';
import { verifySums } from './verify.ts';

// `node bench/pages/main.ts`: the first and the last byte of every page and API that reads the ledger, with ten million
// records.
// --rows, --days: the size of the ledger; --repeat: requests of each path; --only: paths that contain this text.
// --look-ups: instead, how long look-ups of keys take, with and without reports that run meanwhile.
// --database: the URL of an own, empty database, which is filled, kept, and used again by the next run.

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    days: { type: 'string', default: '90' },
    repeat: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    database: { type: 'string' },
    'look-ups': { type: 'boolean', default: false },
    'fill-only': { type: 'boolean', default: false },
  },
});
const goalMs = 60;
const auditEntries = 100_000;
const patienceMs = 60 * 60_000;
/** What runs beside look-ups: reports that read the most, and an export that streams them. */
const reports = ['/api/v1/usage/export', '/api/v1/usage?group_by=key', '/api/v1/usage/latency', '/api/v1/requests'];
const reportsAtOnce = 4;

const undo = createUndo();
process.once('SIGINT', () => void undo.all().finally(() => process.exit(130)));

try {
  const url = options.database ?? (await startOwnPostgres());
  const limits = { statementTimeoutMs: patienceMs, holdTimeoutMs: patienceMs, lockTimeoutMs: patienceMs };
  const database = openPostgres(url, console.error, limits);
  undo.add(() => database.close());
  await database.migrate();
  await fillOnce(database);
  if (!options['fill-only']) await measureAll(database, url);
} finally {
  await undo.all();
}

async function startOwnPostgres(): Promise<string> {
  const postgres = await startPostgres({
    args: ['shared_buffers=1GB', 'effective_cache_size=8GB', 'maintenance_work_mem=512MB', 'max_wal_size=8GB'].flatMap(
      (setting) => ['-c', setting],
    ),
  });
  undo.add(() => postgres.stop());
  return postgres.url;
}

async function fillOnce(database: Database): Promise<void> {
  const { kysely } = database;
  const { rows: some } = await sql`select from usage_records limit 1`.execute(kysely);
  if (some.length > 0) return;
  const now = new Date();
  const startedAt = performance.now();
  await fillPeople(kysely, auditEntries);
  await fillRecords(database, { rows: Number(options.rows), days: Number(options.days), now });
  await sql`vacuum analyze`.execute(kysely);
  await verifySums(kysely, new Date(now.getTime() - 3 * 86_400_000).toISOString().slice(0, 10));
  console.log(
    `filled in ${Math.round((performance.now() - startedAt) / 1_000)} s; the sums of a day equal its records`,
  );
}

async function measureAll(database: Database, url: string): Promise<void> {
  const bus = await startBusServer();
  undo.add(bus.stop);
  const redis = await startRedis();
  undo.add(() => redis.stop());
  const gateway = await startDistributed({
    servers: { NATS_URL: bus.url, REDIS_URL: redis.url, DATABASE_URL: url },
    replicas: { 'image-svc': 0, 'mcp-svc': 0 },
    environment: { LIMIT_MANAGEMENT_PER_MINUTE: '1000000', STATUS_PAGE: 'true' },
    onDeath: (name, how) => console.error(`bench: ${name} ${how}`),
  });
  undo.add(gateway.stop);
  const visitors = await openVisitors(database.kysely);
  if (options['look-ups']) return compareLookUps({ baseUrl: gateway.baseUrl, natsUrl: bus.url, key: visitors.key });
  const paths = (await measuredPaths(database.kysely)).filter(({ path }) => path.includes(options.only));
  console.log(
    '| path | as | p50 | p95 | max | whole, p50 | whole, p95 |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |',
  );
  let missed = 0;
  for (const each of paths) {
    const measured = await measurePath(gateway.baseUrl, { ...each, visitors, repeat: Number(options.repeat) }).catch(
      String,
    );
    const isMissed = typeof measured === 'string' || measured.p95 > goalMs;
    missed += Number(isMissed);
    console.log(`| \`${each.path}\` | ${each.as} | ${figuresOf(measured)} |${isMissed ? ' missed' : ''}`);
  }
  console.log(`\n${missed} of ${paths.length} above ${goalMs} ms p95\n${JSON.stringify(describeMachine())}`);
}

async function compareLookUps({ baseUrl, natsUrl, key }: { baseUrl: string; natsUrl: string; key: string }) {
  const measure = () => measureLookUps({ natsUrl, seconds: 20 });
  await measureLookUps({ natsUrl, seconds: 3 });
  console.log('| | look-ups | p50 | p99 | max | reports read |\n| --- | ---: | ---: | ---: | ---: | ---: |');
  for (let round = 0; round < 3; round += 1) {
    printLookUps('alone', await measure(), 0);
    const stop = readReports({ baseUrl, key, atOnce: reportsAtOnce, paths: reports });
    printLookUps('with reports', await measure(), await stop());
  }
  console.log(JSON.stringify(describeMachine()));
}

function printLookUps(name: string, { count, ...times }: Quantiles, read: number): void {
  console.log(
    `| ${name} | ${count} | ${Object.values(times)
      .map((ms) => ms.toFixed(1))
      .join(' | ')} | ${read} |`,
  );
}

/** A failure is shown instead of the figures. */
function figuresOf(measured: FirstBytes | string): string {
  if (typeof measured === 'string') return `${measured.slice(0, 100).replaceAll(/\s+/g, ' ')} | | | |`;
  const { p50, p95, max, whole } = measured;
  return [p50, p95, max, whole.p50, whole.p95].map((ms) => ms.toFixed(0)).join(' | ');
}
