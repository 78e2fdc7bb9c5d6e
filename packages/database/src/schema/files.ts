import type { ColumnType } from 'kysely';
import type { CreatedAt } from './columns.ts';

export interface FilesTable {
  id: string;
  account_id: string;
  /** Of the key that stored it; null for keys outside projects. */
  project_id: string | null;
  /**
   * Clients see only a `ready` one. `uploading` and `deleted` ones wait to be finished or removed; `kept` ones belong to a
   * batch of Anthropic's API, which has no files.
   */
  status: 'uploading' | 'ready' | 'kept' | 'deleted';
  filename: ColumnType<string, string | undefined, string>;
  purpose: ColumnType<string, string | undefined, string>;
  media_type: ColumnType<string, string | undefined, string>;
  /** While it is uploaded, what is reserved for it. */
  bytes: ColumnType<string | number, number | undefined, number>;
  created_at: CreatedAt;
  expires_at: Date | null;
  /** From when on the content and the row may be removed. */
  sweep_at: Date | null;
}
