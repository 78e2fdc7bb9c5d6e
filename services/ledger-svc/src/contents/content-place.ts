import type { SecretPlace } from '@tallyport/management-server';

/** Binds a content to its request and account. */
export const contentPlace = (id: string, accountId: string): SecretPlace => ({ id, purpose: 'content', accountId });
