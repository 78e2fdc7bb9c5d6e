import { type Queries, sql } from '@tallyport/database';
import type { BatchError } from '../batches/stored-batches.ts';
import { dropParts } from '../results/shown-failures.ts';

/** Whether any batch has not ended, or still holds something of its budgets. */
export async function hasOpenBatches(queries: Queries): Promise<boolean> {
  const { rows } = await sql`select 1 where exists (select 1 from batches where ended_at is null)
    or exists (select 1 from batches where hold_at is not null)`.execute(queries);
  return rows.length > 0;
}

/** The results of batches are written next whose lines have all ended, or whose window has. */
export async function closeBatches(queries: Queries): Promise<void> {
  await sql`update batches set state = 'finalizing', finalizing_at = now(),
      ending = case when exists (${openParts}) then 'expired' else 'completed' end
    where ended_at is null and state = 'in_progress' and (expires_at <= now() or not exists (${openParts}))`.execute(
    queries,
  );
  await sql`update batches set state = 'failed', ended_at = now(), errors = ${JSON.stringify([notChecked])}
    where ended_at is null and state = 'validating' and expires_at <= now()`.execute(queries);
}

const openParts = sql`select 1 from batch_parts where batch_id = batches.id and not done`;

const notChecked: BatchError = {
  code: 'batch_expired',
  message: 'The input could not be read within the completion window. Create the batch again.',
  line: null,
  param: null,
};

const keptDays = 30;
/** Limits one round; the rest waits for the next. */
const mostSwept = 100;

/** Removes batches that ended long ago, and what replicas that were killed have left of others. Their files have an expiry of their own. */
export async function sweepBatches(queries: Queries): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from batches
    where ended_at is not null and exists (select 1 from batch_parts where batch_id = batches.id)
    limit ${mostSwept}`.execute(queries);
  for (const { id } of rows) await dropParts(queries, id);
  await sql`with old as (
      delete from batches where id in (
        select id from batches where ended_at < now() - ${keptDays} * interval '1 day' limit ${mostSwept}
        for update skip locked
      ) returning id
    ) delete from secrets where id in (select id from old)`.execute(queries);
}
