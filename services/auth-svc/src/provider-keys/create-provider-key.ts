import { GatewayError } from '@tallyport/contracts';
import type { Queries } from '@tallyport/database';
import { lastFour, type NewProviderKey, type ProviderKeyRecord } from '@tallyport/management';
import { makeId, recordAudit, Secret } from '@tallyport/management-server';
import { findProviderKey } from './list-provider-keys.ts';
import { lockAccount } from '../database/lock-account.ts';
import { providerKeyPlace } from './provider-key-place.ts';
import type { ProviderKeyOwner, ProviderKeyTools } from './tools.ts';

/** All keys of an account travel to dispatch in one message. */
export const maxProviderKeys = 100;

/** Stores an account's key at a known provider. From then on it can be used, but not read. */
export function createProviderKey(
  { database, secrets }: ProviderKeyTools,
  { accountId, actor }: ProviderKeyOwner,
  { provider, label, key }: NewProviderKey,
): Promise<ProviderKeyRecord> {
  const id = makeId('provider_key');
  return database.kysely.transaction().execute(async (transaction) => {
    await checkRoom(transaction, accountId);
    await secrets.keep(transaction, providerKeyPlace(accountId, id), new Secret(key));
    await transaction
      .insertInto('provider_keys')
      .values({ id, account_id: accountId, provider, label, last_four: lastFour(key) })
      .execute();
    const detail = { provider, label };
    await recordAudit(transaction, { accountId, actor, action: 'provider_key.created', subject: id, detail });
    const created = await findProviderKey(transaction, { accountId, id });
    if (created === undefined) throw new TypeError('The key that was stored is not there.');
    return created;
  });
}

/** Locks the account, so that concurrent calls cannot exceed the limit. */
async function checkRoom(transaction: Queries, accountId: string): Promise<void> {
  await lockAccount(transaction, accountId);
  const kept = transaction.selectFrom('provider_keys').select('id').where('account_id', '=', accountId);
  const rows = await kept.limit(maxProviderKeys).execute();
  if (rows.length < maxProviderKeys) return;
  const message = `An account can have at most ${maxProviderKeys} provider keys. Delete one that is no longer used.`;
  throw new GatewayError('invalid_parameters', message);
}
