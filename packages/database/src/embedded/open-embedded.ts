import { join } from 'node:path';
import { Kysely } from 'kysely';
import { checkWithin } from '../check.ts';
import type { Database, DatabaseLog } from '../database.ts';
import { migrateToLatest } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { Schema } from '../schema.ts';
import { createDirectory, explainUse } from './create-directory.ts';
import { lockDirectory } from './directory-lock.ts';
import { initialise, isInitialised } from './initialise.ts';
import { PostgresThread } from './postgres-thread.ts';
import { threadDialect } from './thread-dialect.ts';

/** Opens Postgres in a thread of this process: in `directory`, which it locks until closed, or in memory. */
export async function openEmbedded(directory: string | undefined, log: DatabaseLog): Promise<Database> {
  if (directory === undefined) return asDatabase(await startThread(undefined, log), { log, released: async () => {} });

  const lock = await explainUse(directory, async () => {
    await createDirectory(directory);
    return lockDirectory(directory, log);
  });
  try {
    return asDatabase(await openFiles(directory, log), { log, released: lock.release });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openFiles(directory: string, log: DatabaseLog): Promise<PostgresThread> {
  const files = join(directory, 'postgres');
  if (!isInitialised(files)) {
    log({ kind: 'initialising', directory });
    await initialise(files);
  }
  try {
    return await startThread(files, log);
  } catch (cause) {
    throw new Error(
      `The embedded database in ${directory} cannot be opened: restore a backup of it, or move it away.`,
      {
        cause,
      },
    );
  }
}

const startThread = (files: string | undefined, log: DatabaseLog): Promise<PostgresThread> =>
  PostgresThread.start(files, (error) => log({ kind: 'connection_lost', error }));

/** The longest wait for a running statement when the database is closed. What was not committed is rolled back. */
const closeMs = 10_000;

interface Place {
  log: DatabaseLog;
  released(): Promise<void>;
}

/** Also for tests, which end the thread. */
function asDatabase(thread: PostgresThread, { log, released }: Place): Database {
  const kysely = new Kysely<Schema>({ dialect: threadDialect(thread, closeMs) });
  let closed: Promise<void> | undefined;
  const close = async () => {
    await kysely.destroy();
    await thread.close(closeMs); // kysely closes only what it has used
    await released();
  };
  return {
    kysely,
    // It runs one statement after the other.
    aside: kysely,
    check: (timeoutMs) => checkWithin(kysely, timeoutMs),
    async migrate() {
      const newer = await migrateToLatest(kysely, migrations);
      if (newer.length > 0) log({ kind: 'newer_schema', migrations: newer });
    },
    close: () => (closed ??= close()),
  };
}
