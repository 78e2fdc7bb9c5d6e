import { type Database, sql } from '@tallyport/database';
import { repeat } from '@tallyport/service-kit';

const everyMs = 10 * 60_000;
/** The limit per table and round; the rest waits for the next. */
const batch = 1_000;
const tables = [
  'sessions',
  'invitations',
  'password_links',
  'setup_links',
  'sign_in_flows',
  'logout_tokens',
  'workload_keys',
] as const;

/** Removes expired sessions and links every ten minutes until the returned function is called. Replicas take different rows. */
export function startSessionSweeper(database: Database, onFailed: (error: unknown) => void): () => void {
  return repeat({ everyMs, onFailed }, () => sweepSessions(database));
}

async function sweepSessions({ kysely }: Pick<Database, 'kysely'>): Promise<void> {
  for (const table of tables) {
    await sql`delete from ${sql.table(table)} where ctid in (
      select ctid from ${sql.table(table)} where expires_at < now() limit ${batch} for update skip locked
    )`.execute(kysely);
  }
}
