import { GatewayError } from '@switchyard/contracts';
import type { Queries } from '@switchyard/database';
import { recordAudit } from '../audit/audit.ts';
import { makeId } from '../database/make-id.ts';
import { Secret } from '../secrets/secret.ts';
import { providerKeyPlace } from './provider-key-place.ts';
import type { NewProviderKey } from './provider-key-input.ts';
import { lastFour, providerKeyColumns, type ProviderKeyRecord, providerKeyRecord } from './provider-key-record.ts';
import type { ProviderKeyOwner, ProviderKeyTools } from './tools.ts';

/** All of an account's travel to dispatch in one message. */
export const mostProviderKeys = 100;

/** Keeps an account's key at a provider that is known to exist. From here on its text can be used, but not read. */
export function createProviderKey(
  { database, secrets }: ProviderKeyTools,
  { accountId, actor }: ProviderKeyOwner,
  { provider, label, key }: NewProviderKey,
): Promise<ProviderKeyRecord> {
  const id = makeId('provider_key');
  return database.kysely.transaction().execute(async (transaction) => {
    await leaveRoom(transaction, accountId);
    await secrets.keep(transaction, providerKeyPlace(accountId, id), new Secret(key));
    const row = await transaction
      .insertInto('provider_keys')
      .values({ id, account_id: accountId, provider, label, last_four: lastFour(key) })
      .returning(providerKeyColumns)
      .executeTakeFirstOrThrow();
    const detail = { provider, label };
    await recordAudit(transaction, { accountId, actor, action: 'provider_key.created', subject: id, detail });
    return providerKeyRecord(row);
  });
}

/** One at a time for each account, so that no two take the last place. */
async function leaveRoom(transaction: Queries, accountId: string): Promise<void> {
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
  const kept = transaction.selectFrom('provider_keys').select('id').where('account_id', '=', accountId);
  const rows = await kept.limit(mostProviderKeys).execute();
  if (rows.length < mostProviderKeys) return;
  const message = `An account has at most ${mostProviderKeys} provider keys: delete one that is not used any more.`;
  throw new GatewayError('invalid_parameters', message);
}
