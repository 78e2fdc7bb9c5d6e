import { randomUUID } from 'node:crypto';
import type { BatchedCall } from '@tallyport/contracts';
import { type Database, type Queries, type Row, sql } from '@tallyport/database';
import type { BatchAtVendor } from '../vendors/batch-at-vendor.ts';
import { type HeldPart, lockPart } from './parts.ts';
import { pauseOf } from './pauses.ts';

/** The batches at vendors that have, or had, lines of a part. */
export async function vendorBatchesOf(queries: Queries, { batch, number }: HeldPart): Promise<BatchAtVendor[]> {
  const rows = await queries
    .selectFrom('vendor_batches')
    .selectAll()
    .select(sql<string>`extract(epoch from now() - opened_at) * 1000`.as('age_ms'))
    .select(sql<string>`greatest(0, coalesce(extract(epoch from open_at - now()), 0) * 1000)`.as('wait_ms'))
    .where('batch_id', '=', batch.id)
    .where('part', '=', number)
    .execute();
  return rows.map((row) => ({ ...vendorBatchOf(row), ageMs: Number(row.age_ms), waitMs: Number(row.wait_ms) }));
}

/** Before the vendor is asked, so that it is asked once. `undefined` if another replica has the part. */
export const beginVendorBatch = (
  { kysely }: Database,
  part: HeldPart,
  { call, lines }: { call: Omit<BatchedCall, 'body'>; lines: readonly number[] },
): Promise<BatchAtVendor | undefined> =>
  kysely.transaction().execute(async (transaction) => {
    if (!(await lockPart(transaction, part))) return undefined;
    const row = await transaction
      .insertInto('vendor_batches')
      .values({
        id: randomUUID().replaceAll('-', ''),
        batch_id: part.batch.id,
        part: part.number,
        provider: call.providerId,
        model: call.model,
        key: call.key,
        endpoint: call.endpoint,
        lines: JSON.stringify(lines),
        state: 'opening',
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...vendorBatchOf(row), ageMs: 0, waitMs: 0 };
  });

/** The same for a batch that its vendor certainly does not have, with those of its lines that have no answer yet. */
export const reopenVendorBatch = (
  { kysely }: Database,
  part: HeldPart,
  { batch, lines }: { batch: BatchAtVendor; lines: readonly number[] },
): Promise<BatchAtVendor | undefined> =>
  kysely.transaction().execute(async (transaction) => {
    if (!(await lockPart(transaction, part))) return undefined;
    const row = await transaction
      .updateTable('vendor_batches')
      .set({ state: 'opening', lines: JSON.stringify(lines), opened_at: sql<Date>`now()` })
      .where('id', '=', batch.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...vendorBatchOf(row), ageMs: 0, waitMs: 0 };
  });

/** Its vendor does not have the batch and is asked again after a pause, which grows with each try. */
export async function postponeVendorBatch({ kysely }: Database, { id, tries }: BatchAtVendor): Promise<number> {
  const pauseMs = pauseOf(tries);
  await kysely
    .updateTable('vendor_batches')
    .set({
      state: 'waiting',
      tries: tries + 1,
      open_at: sql<Date>`now() + ${pauseMs} * interval '1 millisecond'`,
    })
    .where('id', '=', id)
    .where('state', '<>', 'over')
    .execute();
  return pauseMs;
}

/** Its lines are no longer meant for this batch, which no vendor has. */
export async function dropVendorBatch({ kysely }: Database, { id }: BatchAtVendor): Promise<void> {
  await kysely.deleteFrom('vendor_batches').where('id', '=', id).where('state', '=', 'waiting').execute();
}

export async function setVendorBatch(
  { kysely }: Database,
  { id }: BatchAtVendor,
  change: { state: 'open'; vendorId: string } | { state: 'over' | 'waiting' },
): Promise<void> {
  await kysely
    .updateTable('vendor_batches')
    .set({ state: change.state, ...('vendorId' in change && { vendor_id: change.vendorId }) })
    .where('id', '=', id)
    .where('state', '<>', 'over')
    .execute();
}

/** The batch is over at the vendor: its lines are settled at the time that is stored first. */
export async function answeredVendorBatch({ kysely }: Database, batch: BatchAtVendor): Promise<AnsweredVendorBatch> {
  const { answered_at: answeredAt } = await kysely
    .updateTable('vendor_batches')
    .set({ answered_at: sql<Date>`coalesce(answered_at, now())` })
    .where('id', '=', batch.id)
    .returning(sql<Date>`answered_at`.as('answered_at'))
    .executeTakeFirstOrThrow();
  return { ...batch, answeredAt };
}

export interface AnsweredVendorBatch extends BatchAtVendor {
  answeredAt: Date;
}

const vendorBatchOf = (row: Row<'vendor_batches'>): Omit<BatchAtVendor, 'ageMs' | 'waitMs'> => ({
  id: row.id,
  providerId: row.provider,
  model: row.model,
  key: row.key,
  endpoint: row.endpoint,
  lines: row.lines as number[],
  state: row.state,
  vendorId: row.vendor_id,
  openedAt: row.opened_at,
  answeredAt: row.answered_at,
  tries: row.tries,
});
