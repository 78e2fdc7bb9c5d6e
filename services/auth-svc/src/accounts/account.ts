import type { Queries } from '@tallyport/database';

/** Whether the account exists, suspended or not. */
export async function accountExists(queries: Queries, id: string): Promise<boolean> {
  const query = queries.selectFrom('accounts').select('id').where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}
