import type { Kysely } from 'kysely';
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
