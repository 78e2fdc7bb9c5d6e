import type { ProviderKey } from '@switchyard/contracts';

/** The keys of one account at the providers, and what is to be tried with them. */
export interface OwnKeys {
  readonly mode: 'own_first' | 'own_only';
  /** In the order to try them. The same key is the same object for as long as it is known. */
  readonly keys: readonly ProviderKey[];
}
