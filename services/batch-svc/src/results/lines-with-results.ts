import type { Queries } from '@tallyport/database';
import type { InputPart } from '../lines/input-part.ts';

interface PartOfBatch extends Pick<InputPart, 'firstLine' | 'lastLine'> {
  batch: { id: string };
}

/** The lines of a part that have results. */
export async function linesWithResults(
  queries: Queries,
  { batch, firstLine, lastLine }: PartOfBatch,
): Promise<ReadonlySet<number>> {
  const rows = await queries
    .selectFrom('batch_lines')
    .select('line')
    .where('batch_id', '=', batch.id)
    .where('line', '>=', firstLine)
    .where('line', '<=', lastLine)
    .execute();
  return new Set(rows.map(({ line }) => line));
}
