import type { SecretPlace } from '../secrets/seal.ts';

/** Where the text of a provider key is kept. */
export const providerKeyPlace = (accountId: string, id: string): SecretPlace => ({
  id,
  accountId,
  purpose: 'provider-key',
});
