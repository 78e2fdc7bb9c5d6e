import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Faults of a database whose server still answers. */
export const troubles = [
  'refuses connections',
  'has lost its tables',
  'refuses our login',
  'has locked tables',
] as const;

export type Trouble = (typeof troubles)[number];

export interface TroubledDatabase {
  /** The URL with a separate role that is not a superuser. */
  readonly url: string;
  /** Starts the fault; resolves with a function that ends it. */
  begin(trouble: Trouble): Promise<() => Promise<void>>;
  drop(): Promise<void>;
}

/** Creates an empty database on the server at `serverUrl`, with functions that cause faults. */
export async function createTroubledDatabase(serverUrl: string): Promise<TroubledDatabase> {
  const name = `tallyport_test_${randomBytes(6).toString('hex')}`;
  const { connect, administer, close } = connections(serverUrl);
  await administer(`create role ${name} login`);
  await administer(`create database ${name} owner ${name}`);
  const disconnect = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${name}'`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  url.username = name;
  url.password = '';

  const begin: Record<Trouble, () => Promise<() => Promise<void>>> = {
    async 'refuses connections'() {
      await administer(`alter database ${name} allow_connections false`);
      await administer(disconnect);
      return () => administer(`alter database ${name} allow_connections true`);
    },
    async 'has lost its tables'() {
      const inside = await connect(name);
      await inside('alter schema public rename to elsewhere');
      return () => inside('alter schema elsewhere rename to public');
    },
    async 'refuses our login'() {
      await administer(`alter role ${name} nologin`);
      await administer(disconnect);
      return () => administer(`alter role ${name} login`);
    },
    async 'has locked tables'() {
      const inside = await connect(name);
      await lockTables(inside);
      return () => inside('rollback');
    },
  };

  return {
    url: url.href,
    begin: (trouble) => begin[trouble](),
    async drop() {
      await administer(`drop database if exists ${name} with (force)`);
      await administer(`drop role if exists ${name}`);
      await close();
    },
  };
}

const lockAll = `begin; do $$ declare one record; begin
  for one in select tablename from pg_tables where schemaname = 'public' loop
    execute format('lock table %I in access exclusive mode', one.tablename);
  end loop; end $$`;
const mostDeadlocks = 60;

/** Transactions that lock tables in another order may wait for each other; then Postgres ends one of them. */
async function lockTables(inside: (statement: string) => Promise<unknown>): Promise<void> {
  for (let deadlocks = 0; ; deadlocks += 1) {
    try {
      await inside(lockAll);
      return;
    } catch (thrown) {
      await inside('rollback');
      const { code } = thrown as { code?: string };
      if (code !== '40P01' || deadlocks === mostDeadlocks) throw thrown;
    }
  }
}

function connections(serverUrl: string) {
  const kept: pg.Client[] = [];
  async function open(database?: string): Promise<pg.Client> {
    const url = new URL(serverUrl);
    if (database !== undefined) url.pathname = `/${database}`;
    const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    await client.connect();
    return client;
  }
  return {
    /** Runs statements on a connection that stays open, with its transaction. */
    async connect(database: string): Promise<(statement: string) => Promise<void>> {
      const client = await open(database);
      kept.push(client);
      return async (statement) => void (await client.query(statement));
    },
    /** Opens a new connection each time, because the server may have been restarted. */
    async administer(statement: string): Promise<void> {
      const client = await open();
      try {
        await client.query(statement);
      } finally {
        await client.end();
      }
    },
    async close(): Promise<void> {
      await Promise.all(kept.map((client) => client.end()));
    },
  };
}
