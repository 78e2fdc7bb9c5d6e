import { lastFour, type ProviderKeyChanges, type ProviderKeyRecord } from '@switchyard/management';
import { recordAudit } from '../audit/audit.ts';
import { Secret } from '../secrets/secret.ts';
import { providerKeyPlace } from './provider-key-place.ts';
import { providerKeyColumns, providerKeyRecord } from './provider-key-record.ts';
import type { ProviderKeyOwner, ProviderKeyTools } from './tools.ts';

/** Renames, replaces, enables or disables a key. Resolves with `undefined` if the account has no such key. */
export function changeProviderKey(
  { database, secrets }: ProviderKeyTools,
  { accountId, actor }: ProviderKeyOwner,
  { id, changes }: { id: string; changes: ProviderKeyChanges },
): Promise<ProviderKeyRecord | undefined> {
  const { label, enabled, key } = changes;
  return database.kysely.transaction().execute(async (transaction) => {
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
      .returning(providerKeyColumns)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (key !== undefined) await secrets.keep(transaction, providerKeyPlace(accountId, id), new Secret(key));
    const detail = { label, enabled, ...(key !== undefined && { replaced: true }) };
    await recordAudit(transaction, { accountId, actor, action: 'provider_key.changed', subject: id, detail });
    return providerKeyRecord(row);
  });
}
