import { repeat } from '@tallyport/service-kit';
import type { StoredBatch } from '../batches/stored-batches.ts';
import { type BatchWork, claimBatch, leaveBatch, releaseBatch, renewBatch } from './batch-leases.ts';
import { leasePauseMs } from './lease.ts';
import type { WorkTools } from './work-tools.ts';

/**
 * Takes a batch for this work and does it while the lease is renewed. Returns whether there was one. What fails is tried
 * again after a pause.
 */
export async function withBatch(
  tools: WorkTools,
  work: BatchWork,
  run: (batch: StoredBatch) => Promise<void>,
): Promise<boolean> {
  const { database, holder, events } = tools;
  const batch = await claimBatch(database.kysely, work, holder);
  if (batch === undefined) return false;
  const renewing = { everyMs: leasePauseMs, onFailed: events.notWorked };
  const stopRenewing = repeat(renewing, () => renewBatch(database.kysely, batch.id, holder));
  try {
    await run(batch);
    await releaseBatch(database.kysely, batch.id, holder);
  } catch (error) {
    events.notWorked(error);
    await leaveBatch(database.kysely, batch.id, holder).catch(events.notWorked);
  } finally {
    stopRenewing();
  }
  return true;
}
