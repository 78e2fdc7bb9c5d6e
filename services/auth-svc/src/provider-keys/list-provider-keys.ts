import type { Database } from '@switchyard/database';
import type { ProviderKeyRecord } from '@switchyard/management';
import { providerKeyColumns, providerKeyRecord } from './provider-key-record.ts';

/** Lists the keys, oldest first. Keys of one provider are tried in this order. */
export async function listProviderKeys({ kysely }: Database, accountId: string): Promise<ProviderKeyRecord[]> {
  const rows = await kysely
    .selectFrom('provider_keys')
    .select(providerKeyColumns)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(providerKeyRecord);
}
