import type { Database, Queries } from '@tallyport/database';
import { defaultAccountId } from '@tallyport/management';

export async function ensureDefaultAccount({ kysely }: Database): Promise<void> {
  await kysely
    .insertInto('accounts')
    .values({ id: defaultAccountId, name: 'Default' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Whether the account exists, suspended or not. */
export async function accountExists(queries: Queries, id: string): Promise<boolean> {
  const query = queries.selectFrom('accounts').select('id').where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}
