import { type Database, sql } from '@tallyport/database';
import type { FileStorage } from '../storage/file-storage.ts';

interface SweepTools {
  database: Database;
  storage: FileStorage;
}

interface FileSweep extends SweepTools {
  onFailed(error: unknown, id: string): void;
}

/** Limits one round; the rest waits for the next. */
const batch = 200;

/**
 * Removes expired and deleted files, and what abandoned uploads have left. Replicas take different ones: what one has taken
 * and not removed, because it was killed or the storage is away, is taken again ten minutes later. Returns how many were
 * removed.
 */
export async function sweepFiles({ onFailed, ...tools }: FileSweep): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update files set status = 'deleted', sweep_at = now() + interval '10 minutes'
    where id in (
      select id from files where sweep_at < now() and not ${isInput} order by sweep_at limit ${batch}
      for update skip locked
    ) returning id`.execute(tools.database.kysely);
  let removed = 0;
  for (const { id } of rows) {
    try {
      await removeFile(tools, id);
      removed += 1;
    } catch (error) {
      onFailed(error, id);
    }
  }
  return removed;
}

/** Batches that have not ended read their input, also one that no client sees any more. */
const isInput = sql`exists (select 1 from batches where input_file_id = files.id and ended_at is null)`;

export async function isInputOfBatch({ kysely }: Database, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from files where id = ${id} and ${isInput}`.execute(kysely);
  return rows.length > 0;
}

/** Removes the content of a hidden file, then its key and its row. */
export async function removeFile({ database, storage }: SweepTools, id: string): Promise<void> {
  await storage.remove(id);
  await database.kysely.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('secrets').where('id', '=', id).execute();
    await transaction.deleteFrom('files').where('id', '=', id).execute();
  });
}
