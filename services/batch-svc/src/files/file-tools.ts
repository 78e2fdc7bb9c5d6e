import type { Database } from '@tallyport/database';
import type { Secrets } from '@tallyport/management-server';
import type { BatchEvents } from '../events.ts';
import type { FileStorage } from '../storage/file-storage.ts';
import type { UploadTurns } from './upload-turns.ts';
import type { FileQuota } from './uploads.ts';

/** What the operations of files need. */
export interface FileTools {
  database: Database;
  secrets: Secrets;
  storage: FileStorage;
  quota: FileQuota;
  inTurn: UploadTurns;
  /** Of one file. */
  maxBytes: number;
  events: BatchEvents;
}
