import { type Database, sql } from '@tallyport/database';

/** Whether a file, or what a batch keeps, has been deleted or has expired. */
export async function isGone({ kysely }: Database, id: string): Promise<boolean> {
  const row = await kysely
    .selectFrom('files')
    .select('id')
    .where('id', '=', id)
    .where('status', 'in', ['ready', 'kept'])
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirst();
  return row === undefined;
}
