import type { Principal } from '@switchyard/contracts';
import { type ProviderKeyMode, sql } from '@switchyard/database';

/** Whether the account of this column has provider keys that are enabled; part of the query that finds a caller. */
export const hasProviderKeys = (accountId: string) =>
  sql<boolean>`exists (select from provider_keys where account_id = ${sql.ref(accountId)} and enabled)`;

/**
 * What a principal says of provider keys: nothing where the service's are used, so that nobody looks for others. An account
 * that wants only its own gets no other key even when it has none.
 */
export function keyChoice(mode: ProviderKeyMode, hasKeys: boolean): Pick<Principal, 'providerKeys'> {
  const own = mode === 'own_only' || (mode === 'own_first' && hasKeys);
  return own ? { providerKeys: mode } : {};
}
