import type { ColumnType } from 'kysely';
import type { CreatedAt } from './columns.ts';

/** Prompts and answers of accounts that keep them. */
export interface RequestContentsTable {
  /** The id of the request's record. */
  id: string;
  account_id: string;
  at: CreatedAt;
  /** A day: `2026-11-23`. */
  expires_on: ColumnType<Date, string, never>;
  /** The id of the secret with the key. */
  content_key: string;
  sealed: string;
}
