import type { Database, DatabaseLog } from './database.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';

export interface DatabaseOptions {
  /** A Postgres URL. Without it, the embedded database is used. */
  url?: string;
  /** Directory of the embedded database, for one process at a time. Without it, the database is in memory. */
  directory?: string;
  log?: DatabaseLog;
  postgres?: PostgresOptions;
}

/**
 * Opens Postgres if there is a URL, else the embedded database. Succeeds even while Postgres is unavailable: `check`
 * reports it, and connections recover by themselves. Rejects at once if another process holds the data directory, or if it cannot be used.
 */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const { url, directory, log = () => {}, postgres } = options;
  if (url !== undefined) return openPostgres(url, log, postgres);
  return openEmbedded(directory, log);
}
