import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export interface DatabaseHealth {
  connected: boolean;
  /** The reason, for an operator; absent when connected. */
  error?: string;
}

/** Events between calls, for example a lost idle connection or a slow first start. */
export type DatabaseLog = (event: DatabaseEvent) => void;

export type DatabaseEvent =
  | { kind: 'connection_lost'; error: Error }
  | { kind: 'initialising'; directory: string }
  | { kind: 'lock_taken_over'; directory: string; pid: number }
  /** A newer version has extended the schema; its additions are not used. */
  | { kind: 'newer_schema'; migrations: readonly string[] };

export interface Database {
  readonly kysely: Kysely<Schema>;
  /** Fewer connections, for work that may keep them busy: queries of `kysely` do not wait for it. */
  readonly aside: Kysely<Schema>;
  /** Checks whether the database responds. Never rejects, never takes longer than `timeoutMs`. */
  check(timeoutMs: number): Promise<DatabaseHealth>;
  /**
   * Brings the schema up to date; of several processes, one migrates and the others wait. Accepts a schema that a newer
   * version has extended; rejects if that version has changed it incompatibly.
   */
  migrate(): Promise<void>;
  /** Closes the connections and releases the data directory. May be called twice. */
  close(): Promise<void>;
}
