import { type Queries, type RawBuilder, type Row, sql } from '@tallyport/database';
import { batchOf, type StoredBatch } from '../batches/stored-batches.ts';
import { leaseEnd } from './lease.ts';
import { hasVendorBatches } from './parts.ts';

/** What a replica does for a whole batch, one at a time. */
export type BatchWork = 'check' | 'finish';

const isReady: Readonly<Record<BatchWork, RawBuilder<boolean>>> = {
  check: sql<boolean>`state = 'validating'`,
  // Lines that run are finished first, and their replica leaves their part.
  finish: sql<boolean>`state in ('cancelling', 'finalizing') and not exists (
    select 1 from batch_parts where batch_id = batches.id and holder is not null and lease_until > now()) and not ${hasVendorBatches}`,
};

/** Takes the batch that has waited longest; `undefined` if there is none. */
export async function claimBatch(queries: Queries, work: BatchWork, holder: string): Promise<StoredBatch | undefined> {
  const { rows } = await sql<Row<'batches'>>`
    update batches set holder = ${holder}, lease_until = ${leaseEnd}
    where id = (
      select id from batches
      where ended_at is null and ${isReady[work]} and (lease_until is null or lease_until < now())
      order by created_at limit 1 for update skip locked
    ) returning *`.execute(queries);
  const [row] = rows;
  return row && batchOf(row);
}

/** Changes nothing if another replica has the batch. */
export async function renewBatch(queries: Queries, id: string, holder: string): Promise<void> {
  await sql`update batches set lease_until = ${leaseEnd} where id = ${id} and holder = ${holder}`.execute(queries);
}

/** Leaves the batch, whose work is done. */
export async function releaseBatch(queries: Queries, id: string, holder: string): Promise<void> {
  await sql`update batches set holder = null, lease_until = null where id = ${id} and holder = ${holder}`.execute(
    queries,
  );
}

/** Leaves the batch, which is taken again after a pause. */
export async function leaveBatch(queries: Queries, id: string, holder: string): Promise<void> {
  await sql`update batches set holder = null, lease_until = now() + ${pauseMs} * interval '1 millisecond'
    where id = ${id} and holder = ${holder}`.execute(queries);
}

const pauseMs = 5_000;
