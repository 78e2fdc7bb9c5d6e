import type { Database, DatabaseLog } from './database.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';

export interface DatabaseOptions {
  /** A Postgres URL. Without it the database lives in this process. */
  url?: string;
  /** Where the embedded database keeps its files; without it, memory. One process at a time. */
  directory?: string;
  log?: DatabaseLog;
  postgres?: PostgresOptions;
}

/**
 * Opens Postgres when there is a URL, else the embedded one. Postgres may be away: opening succeeds, `check` tells, and
 * connections come back by themselves. A data directory another process holds is refused at once.
 */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const { url, directory, log = () => {}, postgres } = options;
  if (url !== undefined) return openPostgres(url, log, postgres);
  return openEmbedded(directory, log);
}
