import { type Database, sql } from '@switchyard/database';

export interface Sweeper {
  stop(): void;
}

export interface SweepOptions {
  database: Database;
  onFailed: (error: unknown) => void;
  everyMs?: number;
}

const batch = 500;
/** What one round may remove: the rest waits for the next one, so that no replica keeps the database busy. */
const mostBatches = 20;

/** Removes what has expired, now and then. Replicas that do so at once take different rows. */
export function startSweeper({ database, onFailed, everyMs = 60_000 }: SweepOptions): Sweeper {
  const timer = setInterval(() => void sweep(database).catch(onFailed), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}

/** How many rows went. */
export async function sweep({ kysely }: Pick<Database, 'kysely'>): Promise<number> {
  let removed = 0;
  for (let round = 0; round < mostBatches; round++) {
    const { numAffectedRows = 0n } = await sql`
      delete from oauth_records where ctid in (
        select ctid from oauth_records where expires_at < now() limit ${batch} for update skip locked
      )`.execute(kysely);
    removed += Number(numAffectedRows);
    if (numAffectedRows < batch) break;
  }
  return removed;
}
