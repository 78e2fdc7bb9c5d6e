import type { Caller } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';

/** Who calls with the key of this hash; `null` when it is unknown, revoked or expired. The database's clock decides. */
export async function authenticate({ kysely }: Database, keyHash: string): Promise<Caller | null> {
  const row = await kysely
    .selectFrom('api_keys')
    .select(['id', 'account_id', 'allowed_models', 'allowed_providers'])
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', where.fn<Date>('now'))]))
    .executeTakeFirst();
  if (row === undefined) return null;
  const principal = {
    accountId: row.account_id,
    keyId: row.id,
    ...(row.allowed_models && { allowedModels: row.allowed_models }),
    ...(row.allowed_providers && { allowedProviders: row.allowed_providers }),
  };
  return { principal, limits: {} };
}
