import { GatewayError, hashKey } from '@tallyport/contracts';
import type { Queries } from '@tallyport/database';

/** Throws `conflict` if the text is or was that of a key, in any account. */
export async function checkUnused(transaction: Queries, key: string): Promise<void> {
  const keyHash = hashKey(key);
  const existing = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where((where) => where.or([where('key_hash', '=', keyHash), where('previous_hash', '=', keyHash)]))
    .executeTakeFirst();
  if (existing === undefined) return;
  throw new GatewayError(
    'conflict',
    'This key is or was in use. Generate another one: npm run secrets -- generate-key',
    {
      param: 'key',
    },
  );
}
