import type { ApiKey } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { keyColumns, keyRecord } from './key-record.ts';
import { type KeyScope, noSuchKey, inScope } from './key-scope.ts';

const most = 10_000;

/** Lists the keys of all accounts, oldest first, including revoked ones. */
export async function listKeys({ kysely }: Database): Promise<ApiKey[]> {
  const rows = await kysely
    .selectFrom('api_keys')
    .select(keyColumns)
    .orderBy('created_at')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(keyRecord);
}

export async function readApiKey({ kysely }: Database, scope: KeyScope, id: string): Promise<ApiKey> {
  const row = await kysely
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('id', '=', id)
    .where(inScope(scope))
    .executeTakeFirst();
  if (row === undefined) throw noSuchKey();
  return keyRecord(row);
}
