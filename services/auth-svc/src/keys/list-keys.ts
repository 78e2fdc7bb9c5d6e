import type { ApiKey } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';
import { keyColumns, keyRecord } from './key-record.ts';

const most = 10_000;

/** All keys, revoked ones too, the oldest first. */
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
