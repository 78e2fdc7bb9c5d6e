import { type Queries, sql } from '@tallyport/database';

/** So many failed lines of a batch are shown with their reasons, also after its results are written. */
export const mostShownFailures = 100;

/**
 * Removes the parts of a batch that has ended, and the results that are in its files now, except those that are shown. A part
 * at a time: one statement, or transaction, about all of them would take too long.
 */
export async function dropParts(queries: Queries, batchId: string): Promise<void> {
  const lastShown = await queries
    .selectFrom('batch_lines')
    .select('line')
    .where('batch_id', '=', batchId)
    .where('outcome', '=', 'failed')
    .orderBy('line')
    .offset(mostShownFailures - 1)
    .limit(1)
    .executeTakeFirst();
  const isShown = sql`outcome = 'failed' and line <= ${lastShown?.line ?? maxLine}`;
  const drop = sql`with part as (
      delete from batch_parts where batch_id = ${batchId} and number = (
        select min(number) from batch_parts where batch_id = ${batchId}
      ) returning first_line, last_line
    ), dropped as (
      delete from batch_lines using part
      where batch_id = ${batchId} and line between first_line and last_line and not (${isShown})
    ) select 1 from part`;
  for (let rows: readonly unknown[] = [undefined]; rows.length > 0;) ({ rows } = await drop.execute(queries));
}

const maxLine = 2 ** 31 - 1;
