import type { ProviderKeyRecord } from '@tallyport/management';
import { recordAudit } from '@tallyport/management-server';
import { findProviderKey } from './list-provider-keys.ts';
import type { ProviderKeyOwner, ProviderKeyTools } from './tools.ts';

/** Deletes a key and its secret. Resolves with `undefined` if the account has no such key. */
export function deleteProviderKey(
  { database }: ProviderKeyTools,
  { accountId, actor }: ProviderKeyOwner,
  id: string,
): Promise<ProviderKeyRecord | undefined> {
  return database.kysely.transaction().execute(async (transaction) => {
    const found = await findProviderKey(transaction, { accountId, id });
    const { numDeletedRows } = await transaction
      .deleteFrom('provider_keys')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (found === undefined || numDeletedRows === 0n) return undefined;
    await transaction.deleteFrom('secrets').where('id', '=', id).execute();
    const detail = { provider: found.provider, label: found.label };
    await recordAudit(transaction, { accountId, actor, action: 'provider_key.deleted', subject: id, detail });
    return found;
  });
}
