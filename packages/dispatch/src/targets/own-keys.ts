import type { ProviderKey } from '@tallyport/contracts';

/** The provider keys of one account, and whether the service's may be used after them. */
export interface OwnKeys {
  readonly mode: 'own_first' | 'own_only';
  /** In the order to try them. A key keeps its object identity for as long as it is known. */
  readonly keys: readonly ProviderKey[];
}
