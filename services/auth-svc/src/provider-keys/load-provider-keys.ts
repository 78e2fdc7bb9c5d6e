import type { ProviderKey } from '@tallyport/contracts';
import { inOrder } from './list-provider-keys.ts';
import { providerKeyPlace } from './provider-key-place.ts';
import type { ProviderKeyTools } from './tools.ts';

/**
 * Returns the enabled provider keys of an account in plain text, in the order to try them. This is the only way to read
 * them; dispatch calls it over the bus. Throws `unavailable` if a key cannot be decrypted, rather than ignore it.
 */
export async function loadProviderKeys(
  { database, secrets }: ProviderKeyTools,
  accountId: string,
): Promise<ProviderKey[]> {
  const rows = await database.kysely
    .selectFrom('provider_keys')
    .innerJoin('secrets', 'secrets.id', 'provider_keys.id')
    .select(['provider_keys.id', 'provider_keys.provider', 'secrets.key_id', 'secrets.sealed'])
    .where('provider_keys.account_id', '=', accountId)
    .where('provider_keys.enabled', '=', true)
    .orderBy(inOrder)
    .execute();
  return rows.map(({ id, provider, ...sealed }) => {
    const key = secrets.unseal(sealed, providerKeyPlace(accountId, id));
    return { id, provider, key: key.reveal() };
  });
}
