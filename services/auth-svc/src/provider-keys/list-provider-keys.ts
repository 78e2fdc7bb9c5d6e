import { type Queries, sql } from '@tallyport/database';
import type { ProviderKeyRecord } from '@tallyport/management';
import { providerKeyColumns, providerKeyRecord } from './provider-key-record.ts';

/** Where a key is among those of its provider: as the account ordered them, then the others, oldest first. */
export const inOrder = sql`provider_keys.position asc nulls last, provider_keys.created_at, provider_keys.id`;

/** Lists the keys by provider, those of each provider in the order in which they are tried. */
export async function listProviderKeys(queries: Queries, accountId: string): Promise<ProviderKeyRecord[]> {
  const rows = await queries
    .selectFrom('provider_keys')
    .select(providerKeyColumns)
    .select(sql<number>`row_number() over (partition by provider order by ${inOrder})::integer`.as('place'))
    .where('account_id', '=', accountId)
    .orderBy('provider')
    .orderBy('place')
    .execute();
  return rows.map(({ place, ...row }) => providerKeyRecord(row, place));
}

/** Resolves with `undefined` if the account has no such key. */
export const findProviderKey = async (
  queries: Queries,
  { accountId, id }: { accountId: string; id: string },
): Promise<ProviderKeyRecord | undefined> =>
  (await listProviderKeys(queries, accountId)).find((each) => each.id === id);
