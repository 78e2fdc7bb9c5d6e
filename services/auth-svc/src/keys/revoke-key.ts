import type { Database } from '@switchyard/database';

/** The hash of the key that works no longer, or `undefined` when there is none with this id. Doing it again changes nothing. */
export async function revokeKey({ kysely }: Database, id: string): Promise<string | undefined> {
  const row = await kysely
    .updateTable('api_keys')
    .set((set) => ({ revoked_at: set.fn.coalesce('revoked_at', set.fn<Date>('now')) }))
    .where('id', '=', id)
    .returning('key_hash')
    .executeTakeFirst();
  return row?.key_hash;
}
