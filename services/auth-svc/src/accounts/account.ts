import type { Database } from '@switchyard/database';

/** Where keys belong that nobody assigned. */
export const defaultAccountId = 'default';

export async function ensureDefaultAccount({ kysely }: Database): Promise<void> {
  await kysely
    .insertInto('accounts')
    .values({ id: defaultAccountId, name: 'Default' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
