import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { checkWithin } from '../check.ts';
import type { Database, DatabaseLog } from '../database.ts';
import { migrateToLatest } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { Schema } from '../schema.ts';
import { lockDirectory } from './directory-lock.ts';
import { initialise, isInitialised } from './initialise.ts';
import { openPglite } from './open-pglite.ts';

/** Opens Postgres inside this process: in `directory`, which it locks until closed, or in memory. */
export async function openEmbedded(directory: string | undefined, log: DatabaseLog): Promise<Database> {
  if (directory === undefined) return asDatabase(await openPglite(), { log, released: async () => {} });

  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(directory, log);
  try {
    return asDatabase(await openFiles(directory, log), { log, released: lock.release });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openFiles(directory: string, log: DatabaseLog): Promise<PGlite> {
  const files = join(directory, 'postgres');
  if (!isInitialised(files)) {
    log({ kind: 'initialising', directory });
    await initialise(files);
  }
  try {
    return await openPglite(files);
  } catch (cause) {
    throw new Error(
      `The embedded database in ${directory} cannot be opened: restore a backup of it, or move it away.`,
      {
        cause,
      },
    );
  }
}

interface Place {
  log: DatabaseLog;
  released(): Promise<void>;
}

function asDatabase(pglite: PGlite, { log, released }: Place): Database {
  const kysely = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) });
  let closed: Promise<void> | undefined;
  const close = async () => {
    await kysely.destroy();
    if (!pglite.closed) await pglite.close(); // kysely closes only what it has used
    await released();
  };
  return {
    kysely,
    check: (timeoutMs) => checkWithin(kysely, timeoutMs),
    async migrate() {
      const newer = await migrateToLatest(kysely, migrations);
      if (newer.length > 0) log({ kind: 'newer_schema', migrations: newer });
    },
    close: () => (closed ??= close()),
  };
}
