import { recordAudit } from '../audit/audit.ts';
import type { ProviderKeyOwner, ProviderKeyTools } from './tools.ts';

/** `false`: the account has no such key. */
export function deleteProviderKey(
  { database }: ProviderKeyTools,
  { accountId, actor }: ProviderKeyOwner,
  id: string,
): Promise<boolean> {
  return database.kysely.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom('provider_keys')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning('provider')
      .executeTakeFirst();
    if (deleted === undefined) return false;
    await transaction.deleteFrom('secrets').where('id', '=', id).execute();
    await recordAudit(transaction, { accountId, actor, action: 'provider_key.deleted', subject: id, detail: deleted });
    return true;
  });
}
