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
      select id from files where sweep_at < now() order by sweep_at limit ${batch} for update skip locked
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

/** Removes the content of a hidden file, then its key and its row. */
export async function removeFile({ database, storage }: SweepTools, id: string): Promise<void> {
  await storage.remove(id);
  await database.kysely.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('secrets').where('id', '=', id).execute();
    await transaction.deleteFrom('files').where('id', '=', id).execute();
  });
}
