import { type Queries, sql } from '@tallyport/database';
import { type LineAmounts, sumOfAmounts } from '../budgets/line-estimates.ts';
import type { CheckedInput } from '../lines/input-check.ts';

interface EstimatedInput extends CheckedInput {
  /** Absent if the key of the batch is gone. */
  amounts?: LineAmounts;
}

/** At most so many rows of a statement, whose parameters are limited. */
const partsAtOnce = 1_000;

/** Lets the lines of a checked input run, unless the batch was cancelled meanwhile. */
export async function beginBatch(
  queries: Queries,
  id: string,
  { parts, total, model, amounts }: EstimatedInput,
): Promise<void> {
  const { numUpdatedRows } = await queries
    .updateTable('batches')
    .set({
      state: 'in_progress',
      in_progress_at: sql<Date>`now()`,
      total,
      model: model ?? null,
      ...(amounts && {
        estimate: sumOfAmounts(amounts.values()),
        reserved: sumOfAmounts(amounts.values()),
        hold_at: sql<Date>`now()`,
      }),
      holder: null,
      lease_until: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'validating')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const pairs = [...(amounts ?? [])];
  for (let from = 0; from < parts.length; from += partsAtOnce) {
    const rows = parts.slice(from, from + partsAtOnce).map(({ start, end, firstLine, lastLine, lines }, at) => ({
      batch_id: id,
      number: from + at,
      start_byte: start,
      end_byte: end,
      first_line: firstLine,
      last_line: lastLine,
      lines,
      estimates: JSON.stringify(pairs.splice(0, lines)),
    }));
    await queries.insertInto('batch_parts').values(rows).execute();
  }
}
