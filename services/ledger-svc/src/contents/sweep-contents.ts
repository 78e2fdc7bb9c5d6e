import { type Database, sql } from '@tallyport/database';
import { repeat } from '@tallyport/service-kit';
import { deleteOldContentKeys } from './content-keys.ts';
import { dropExpiredDays } from './expiry-days.ts';

const everyMs = 3_600_000;

/** Deletes expired contents every hour until the returned function is called. */
export function startContentSweeper(database: Database, onFailed: (error: unknown) => void): () => void {
  return repeat({ everyMs, onFailed }, () => sweepContents(database));
}

export async function sweepContents(database: Database): Promise<void> {
  await dropExpiredDays(database);
  // Of accounts that now keep theirs for fewer days than before.
  await sql`delete from request_contents as content using accounts
    where accounts.id = content.account_id and accounts.content_log is not null
    and content.at < now() - make_interval(days => (accounts.content_log->>'days')::int + 1)`.execute(database.kysely);
  await deleteOldContentKeys(database.kysely);
}
