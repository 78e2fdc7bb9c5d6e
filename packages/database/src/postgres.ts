import { Kysely } from 'kysely';
import pg from 'pg';
import { checkWithin } from './check.ts';
import type { Database, DatabaseLog } from './database.ts';
import { migrateToLatest } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { LocklessPostgresDialect } from './postgres-dialect.ts';
import type { Schema } from './schema.ts';
import { checkServerVersion } from './server-version.ts';

export interface PostgresOptions {
  maxConnections?: number;
  /** More, for `Database.aside`. */
  maxAside?: number;
  connectTimeoutMs?: number;
  statementTimeoutMs?: number;
  /**
   * The longest wait for a lock. Together with the wait for a connection it must be shorter than the limit of a call on
   * the bus.
   */
  lockTimeoutMs?: number;
  /** The longest time that a query or transaction may hold a connection. This detects a dead network. */
  holdTimeoutMs?: number;
  migrationTimeoutMs?: number;
}

const defaults = {
  maxConnections: 6,
  maxAside: 4,
  connectTimeoutMs: 2_000,
  statementTimeoutMs: 5_000,
  lockTimeoutMs: 2_000,
  holdTimeoutMs: 10_000,
  migrationTimeoutMs: 30 * 60_000,
} satisfies Required<PostgresOptions>;

type Limits = Required<PostgresOptions>;

export function openPostgres(url: string, log: DatabaseLog, options: PostgresOptions = {}): Database {
  const limits: Limits = { ...defaults, ...options };
  const kysely = connect(url, limits, log);
  const aside = connect(url, { ...limits, maxConnections: limits.maxAside }, log);
  let closed: Promise<unknown> | undefined;
  return {
    kysely,
    aside,
    check: (timeoutMs) => checkWithin(kysely, timeoutMs),
    migrate: () => migrateOnOneConnection(url, limits, log),
    async close() {
      await (closed ??= Promise.all([kysely.destroy(), aside.destroy()]));
    },
  };
}

function connect(url: string, limits: Limits, log: DatabaseLog): Kysely<Schema> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'tallyport',
    max: limits.maxConnections,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.holdTimeoutMs,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it; its types do not say so.
    onConnect: (client) => prepare(client, limits.connectTimeoutMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  reportLostConnections(pool, log);
  endLongHolds(pool, limits.holdTimeoutMs);
  return new Kysely<Schema>({ dialect: new LocklessPostgresDialect({ pool }) });
}

/**
 * To start parallel workers or to compile takes longer than any statement of a page. Not parameters of the connection,
 * which a pooler rejects that does not know them.
 */
const forShortStatements = 'set max_parallel_workers_per_gather = 0; set jit = off';

/** Rejects in time, and then the pool ends the connection. Its own limit for connecting does not include this. */
async function prepare(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Connection terminated: not prepared in time')), timeoutMs);
  try {
    await Promise.race([client.query(forShortStatements), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A client without an `error` listener crashes the process, and the pool listens only while the client is idle. */
function reportLostConnections(pool: pg.Pool, log: DatabaseLog): void {
  pool.on('connect', (client) => client.on('error', (error) => log({ kind: 'connection_lost', error })));
  pool.on('error', () => {}); // the same error again, said by the pool
}

/** Postgres limits each statement itself; this detects that Postgres no longer answers. */
function endLongHolds(pool: pg.Pool, holdTimeoutMs: number): void {
  const holds = new Map<pg.PoolClient, NodeJS.Timeout>();
  pool.on('acquire', (client) => {
    const end = () => client.connection.stream.destroy(new Error('Connection terminated: held for too long'));
    holds.set(client, setTimeout(end, holdTimeoutMs));
  });
  pool.on('release', (_error, client) => {
    clearTimeout(holds.get(client));
    holds.delete(client);
  });
}

/** Migrations wait for each other and may take long, so the limits of ordinary queries do not apply. */
async function migrateOnOneConnection(url: string, limits: Limits, log: DatabaseLog): Promise<void> {
  const { migrationTimeoutMs } = limits;
  const patient = {
    ...limits,
    maxConnections: 1,
    statementTimeoutMs: migrationTimeoutMs,
    lockTimeoutMs: migrationTimeoutMs,
    holdTimeoutMs: migrationTimeoutMs,
  };
  const kysely = connect(url, patient, log);
  try {
    await checkServerVersion(kysely);
    const newer = await migrateToLatest(kysely, migrations);
    if (newer.length > 0) log({ kind: 'newer_schema', migrations: newer });
  } finally {
    await kysely.destroy();
  }
}
