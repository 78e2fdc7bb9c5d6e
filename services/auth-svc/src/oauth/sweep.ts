import { type Database, sql } from '@tallyport/database';
import { repeat } from '@tallyport/service-kit';

interface SweepOptions {
  database: Database;
  onFailed: (error: unknown) => void;
  everyMs?: number;
}

const batch = 500;
/** Limits one round, so that no replica keeps the database busy; the rest waits for the next. */
const maxBatches = 20;

/** Removes expired records once a minute until the returned function is called. Replicas take different rows. */
export function startOAuthSweeper({ database, onFailed, everyMs = 60_000 }: SweepOptions): () => void {
  return repeat({ everyMs, onFailed }, () => sweepOAuthRecords(database));
}

/** Returns how many rows were removed. */
export async function sweepOAuthRecords({ kysely }: Pick<Database, 'kysely'>): Promise<number> {
  let removed = 0;
  for (let round = 0; round < maxBatches; round++) {
    const { numAffectedRows = 0n } = await sql`
      delete from oauth_records where ctid in (
        select ctid from oauth_records where expires_at < now() limit ${batch} for update skip locked
      )`.execute(kysely);
    removed += Number(numAffectedRows);
    if (numAffectedRows < batch) break;
  }
  return removed;
}
