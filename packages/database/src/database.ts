import type { Kysely } from 'kysely';
import { openEmbedded } from './embedded/open-embedded.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';
import type { Schema } from './schema.ts';

export interface DatabaseHealth {
  connected: boolean;
  /** Why not, in words for an operator; absent when connected. */
  error?: string;
}

/** What the database has to tell between calls: a lost idle connection, a first start that takes longer. */
export type DatabaseLog = (event: DatabaseEvent) => void;

export type DatabaseEvent =
  | { kind: 'connection_lost'; error: Error }
  | { kind: 'initialising'; directory: string }
  | { kind: 'lock_taken_over'; directory: string; pid: number }
  /** A newer version was here; what it added is left alone. */
  | { kind: 'newer_schema'; migrations: readonly string[] };

export interface Database {
  readonly kysely: Kysely<Schema>;
  /** Asks the database for a sign of life. Never throws, never takes longer than `timeoutMs`. */
  check(timeoutMs: number): Promise<DatabaseHealth>;
  /**
   * Brings the schema up to date; of several processes one works and the others wait. A newer version may have added to it;
   * throws when that version has changed what this code uses.
   */
  migrate(): Promise<void>;
  /** Ends connections and gives the directory free. May be called twice. */
  close(): Promise<void>;
}

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
