import { createHash } from 'node:crypto';

/** The account is part of a name in the store, so a foreign id is as unknown as one that never existed. */
export const accountHash = (accountId: string, ...rest: readonly (string | null)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([accountId, ...rest]))
    .digest('base64url');
