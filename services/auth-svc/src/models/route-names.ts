import type { Database } from '@tallyport/database';

/** The names of the account's routes. */
export async function routeNames({ kysely }: Database, accountId: string): Promise<string[]> {
  const rows = await kysely.selectFrom('routes').select('name').where('account_id', '=', accountId).execute();
  return rows.map(({ name }) => name);
}
