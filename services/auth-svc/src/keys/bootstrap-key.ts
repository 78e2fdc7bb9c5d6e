import { defaultAccountId, hashKey, recognisablePart } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';

const id = 'bootstrap';

export interface BootstrapResult {
  change?: 'created' | 'replaced' | 'restored';
  /** The hash of the previous bootstrap key, which no longer works. */
  replacedHash?: string;
}

/**
 * Ensures that the key in BOOTSTRAP_API_KEY works. There is one such key: another value replaces it, so that a leaked
 * key stops working when the setting changes. The same value works again even after it was revoked.
 */
export function ensureBootstrapKey({ kysely }: Database, key: string): Promise<BootstrapResult> {
  const keyHash = hashKey(key);
  return kysely.transaction().execute(async (transaction): Promise<BootstrapResult> => {
    const before = await transaction
      .selectFrom('api_keys')
      .select(['key_hash', 'revoked_at', 'expires_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (before?.key_hash === keyHash && !before.revoked_at && !before.expires_at) return {};

    // The same key may exist under another id, for example as the local key of an embedded first start.
    await transaction.deleteFrom('api_keys').where('key_hash', '=', keyHash).where('id', '<>', id).execute();
    const values = { key_hash: keyHash, prefix: recognisablePart(key), revoked_at: null, expires_at: null };
    await transaction
      .insertInto('api_keys')
      .values({ ...values, id, account_id: defaultAccountId, name: id })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute();
    if (before === undefined) return { change: 'created' };
    if (before.key_hash === keyHash) return { change: 'restored' };
    return { change: 'replaced', replacedHash: before.key_hash };
  });
}
