import { lastFour, type ProviderKeyChanges, type ProviderKeyRecord } from '@tallyport/management';
import { recordAudit, Secret } from '@tallyport/management-server';
import { findProviderKey } from './list-provider-keys.ts';
import { lockAccount } from '../database/lock-account.ts';
import { moveProviderKey } from './move-provider-key.ts';
import { providerKeyPlace } from './provider-key-place.ts';
import type { ProviderKeyOwner, ProviderKeyTools } from './tools.ts';

/** Renames, replaces, moves, enables or disables a key. Resolves with `undefined` if the account has no such key. */
export function changeProviderKey(
  { database, secrets }: ProviderKeyTools,
  { accountId, actor }: ProviderKeyOwner,
  { id, changes }: { id: string; changes: ProviderKeyChanges },
): Promise<ProviderKeyRecord | undefined> {
  const { label, enabled, key, position } = changes;
  return database.kysely.transaction().execute(async (transaction) => {
    if (position !== undefined) await lockAccount(transaction, accountId);
    const row = await transaction
      .updateTable('provider_keys')
      .set((set) => ({
        updated_at: set.fn<Date>('now'),
        ...(label !== undefined && { label }),
        ...(enabled !== undefined && { enabled }),
        // What happened to the replaced key says nothing about the new one.
        ...(key !== undefined && {
          last_four: lastFour(key),
          last_used_at: null,
          last_worked_at: null,
          last_error: null,
          last_error_at: null,
        }),
      }))
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (key !== undefined) await secrets.keep(transaction, providerKeyPlace(accountId, id), new Secret(key));
    if (position !== undefined) await moveProviderKey(transaction, { accountId, id, position });
    const detail = { label, enabled, position, ...(key !== undefined && { replaced: true }) };
    await recordAudit(transaction, { accountId, actor, action: 'provider_key.changed', subject: id, detail });
    return findProviderKey(transaction, { accountId, id });
  });
}
