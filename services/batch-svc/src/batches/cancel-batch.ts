import { GatewayError } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { batchOf, type BatchOwner, findBatch, isOf, type StoredBatch } from './stored-batches.ts';

/**
 * Lines that run are finished, no further ones are begun, and then the results are written. Repeats change nothing. Throws
 * `conflict` for a batch that has ended in another way.
 */
export async function cancelBatch(database: Database, owner: BatchOwner, id: string): Promise<StoredBatch> {
  const row = await database.kysely
    .updateTable('batches')
    .set({ state: 'cancelling', ending: 'cancelled', cancelling_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isOf(owner))
    .where('state', 'in', ['validating', 'in_progress'])
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) return batchOf(row);
  const batch = await findBatch(database, owner, id);
  if (batch.ending === 'cancelled') return batch;
  throw new GatewayError(
    'conflict',
    `The batch cannot be cancelled any more: it is ${batch.state}. Read its results instead.`,
  );
}
