import { type Database, sql } from '@tallyport/database';

/** Whether a user ever allowed this client anything, or an account registered it. */
export async function isConsented({ kysely }: Database, clientId: string): Promise<boolean> {
  const row = await kysely
    .selectFrom('oauth_records')
    .select('id')
    .where((where) =>
      where.or([
        // The first grant makes a registered client permanent; a client of an account always is.
        where.and([where('model', '=', 'Client'), where('id', '=', clientId), where('expires_at', 'is', null)]),
        where.and([where('model', '=', 'Grant'), where(sql<string>`payload ->> 'clientId'`, '=', clientId)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
