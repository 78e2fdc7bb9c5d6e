import type { SecretPlace } from '@tallyport/management-server';

/** The place of a provider key among the secrets. */
export const providerKeyPlace = (accountId: string, id: string): SecretPlace => ({
  id,
  accountId,
  purpose: 'provider-key',
});
