import type { Database } from '@tallyport/database';
import type { Secrets } from '@tallyport/management-server';
import type { BatchEvents } from '../events.ts';
import type { FileStorage } from '../storage/file-storage.ts';
import type { FileTurns } from './file-turns.ts';
import type { FileQuota } from './uploads.ts';

/** What the operations of files need. */
export interface FileTools {
  database: Database;
  secrets: Secrets;
  storage: FileStorage;
  quota: FileQuota;
  uploadTurn: FileTurns;
  downloadTurn: FileTurns;
  /** Of one file. */
  maxBytes: number;
  events: BatchEvents;
}
