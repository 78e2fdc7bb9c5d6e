import type { HeldPart } from './parts.ts';
import type { WorkTools } from './work-tools.ts';

/** The lines of a part that have results. */
export async function endedLines(
  { database }: Pick<WorkTools, 'database'>,
  part: HeldPart,
): Promise<ReadonlySet<number>> {
  const rows = await database.kysely
    .selectFrom('batch_lines')
    .select('line')
    .where('batch_id', '=', part.batch.id)
    .where('line', '>=', part.firstLine)
    .where('line', '<=', part.lastLine)
    .execute();
  return new Set(rows.map(({ line }) => line));
}
