import { createHash } from 'node:crypto';
import { type Database, sql } from '@tallyport/database';

/** An id of this installation, derived from the time its database was set up, which never changes. */
export async function installationId({ kysely }: Database): Promise<string> {
  const { rows } = await sql<{ first: string }>`
    select min("timestamp") as first from kysely_migration`.execute(kysely);
  return createHash('sha256')
    .update(rows[0]?.first ?? '')
    .digest('hex')
    .slice(0, 16);
}
