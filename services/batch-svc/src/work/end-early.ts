import { type Database, sql } from '@tallyport/database';
import type { BatchError, StoredBatch } from '../batches/stored-batches.ts';

/** Its key was revoked, has expired, is of another project now, or of a suspended account. */
export const keyGone: BatchError = {
  code: 'invalid_api_key',
  message:
    'The API key of the batch was revoked, has expired, or is of another project now. Create the batch again with another key.',
  line: null,
  param: null,
};

export const inputDamaged: BatchError = {
  code: 'input_damaged',
  message:
    'The stored content of the input file is missing or damaged, so lines without a result cannot be read. Send them again in another file.',
  line: null,
  param: 'input_file_id',
};

/** Ends a batch that cannot go on, as if it was cancelled: the results that it has are kept. */
export async function endEarly(
  { kysely }: Database,
  { id }: Pick<StoredBatch, 'id'>,
  error: BatchError,
): Promise<void> {
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
