import { type Database, sql } from '@switchyard/database';

export interface Sweeper {
  stop(): void;
}

const everyMs = 10 * 60_000;
/** Of each table and round; the rest waits for the next. */
const batch = 1_000;
const tables = ['sessions', 'invitations', 'password_links', 'setup_links'] as const;

/** Removes sessions and links that have expired, now and then. Replicas that do so at once take different rows. */
export function startSweeper(database: Database, onFailed: (error: unknown) => void): Sweeper {
  const timer = setInterval(() => void sweep(database).catch(onFailed), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}

export async function sweep({ kysely }: Pick<Database, 'kysely'>): Promise<void> {
  for (const table of tables) {
    await sql`delete from ${sql.table(table)} where ctid in (
      select ctid from ${sql.table(table)} where expires_at < now() limit ${batch} for update skip locked
    )`.execute(kysely);
  }
}
