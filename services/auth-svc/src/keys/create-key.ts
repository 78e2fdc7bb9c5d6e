import { randomUUID } from 'node:crypto';
import { type ApiKey, hashKey, makeKey, recognisablePart } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';
import { defaultAccountId } from '../accounts/account.ts';
import { keyColumns, keyRecord } from './key-record.ts';

/** A new key of the default account. Its text is in this answer and nowhere else. */
export async function createKey(
  { kysely }: Database,
  { name, key = makeKey() }: { name: string; key?: string },
): Promise<{ key: string; record: ApiKey }> {
  const row = await kysely
    .insertInto('api_keys')
    .values({
      id: `key_${randomUUID().replaceAll('-', '')}`,
      account_id: defaultAccountId,
      name,
      prefix: recognisablePart(key),
      key_hash: hashKey(key),
    })
    .returning(keyColumns)
    .executeTakeFirstOrThrow();
  return { key, record: keyRecord(row) };
}
