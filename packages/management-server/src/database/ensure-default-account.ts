import type { Database } from '@tallyport/database';
import { defaultAccountId } from '@tallyport/contracts';

/** The account of the operators, without which nothing can be stored. */
export async function ensureDefaultAccount({ kysely }: Database): Promise<void> {
  await kysely
    .insertInto('accounts')
    .values({ id: defaultAccountId, name: 'Default' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
