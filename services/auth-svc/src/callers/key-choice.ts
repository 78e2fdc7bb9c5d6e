import type { Principal } from '@tallyport/contracts';
import { type ProviderKeyMode, sql } from '@tallyport/database';

/** SQL: whether the account in this column has enabled provider keys. Part of the query that finds a caller. */
export const hasProviderKeys = (accountId: string) =>
  sql<boolean>`exists (select from provider_keys where account_id = ${sql.ref(accountId)} and enabled)`;

/**
 * The principal's choice of provider keys. Empty if the gateway's keys are used, so that no other keys are looked up.
 * An account that wants only its own keys gets no other, even if it has none.
 */
export function keyChoice(mode: ProviderKeyMode, hasKeys: boolean): Pick<Principal, 'providerKeys'> {
  const own = mode === 'own_only' || (mode === 'own_first' && hasKeys);
  return own ? { providerKeys: mode } : {};
}
