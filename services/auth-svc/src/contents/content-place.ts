import type { SecretPlace } from '../secrets/seal.ts';

/** Binds a content to its request and account. */
export const contentPlace = (id: string, accountId: string): SecretPlace => ({ id, purpose: 'content', accountId });
