import type { Place } from '../secrets/seal.ts';

/** Where the text of a provider key is kept. */
export const providerKeyPlace = (accountId: string, id: string): Place => ({ id, accountId, purpose: 'provider-key' });
