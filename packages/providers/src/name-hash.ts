import { createHash } from 'node:crypto';

export const nameHashLength = 8;

/** Keeps names different that a vendor's rules would make the same. */
export const nameHash = (name: string): string =>
  createHash('sha256').update(name).digest('hex').slice(0, nameHashLength);
