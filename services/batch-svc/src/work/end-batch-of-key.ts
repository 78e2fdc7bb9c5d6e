import { type Database, sql } from '@tallyport/database';
import type { BatchError, StoredBatch } from '../batches/stored-batches.ts';

/** Ends a batch whose key was revoked, has expired, is of another project now, or of a suspended account, as if it was cancelled. */
export async function endBatchOfKey({ kysely }: Database, { id }: Pick<StoredBatch, 'id'>): Promise<void> {
  const error: BatchError = {
    code: 'invalid_api_key',
    message:
      'The API key of the batch was revoked, has expired, or is of another project now. Create the batch again with another key.',
    line: null,
    param: null,
  };
  await kysely
    .updateTable('batches')
    .set({
      state: 'cancelling',
      ending: 'cancelled',
      cancelling_at: sql<Date>`now()`,
      errors: JSON.stringify([error]),
    })
    .where('id', '=', id)
    .where('state', '=', 'in_progress')
    .execute();
}
