import { type Queries, sql } from '@tallyport/database';

/** So many failed lines of a batch are shown with their reasons, also after its results are written. */
export const mostShownFailures = 100;

/** Removes the results of a batch that are in its files now, except those that are shown. */
export const dropResults = (queries: Queries, batchId: string): Promise<unknown> =>
  sql`delete from batch_lines where batch_id = ${batchId} and line not in (
    select line from batch_lines where batch_id = ${batchId} and outcome = 'failed' order by line limit ${mostShownFailures}
  )`.execute(queries);
