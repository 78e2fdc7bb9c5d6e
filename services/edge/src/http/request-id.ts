import { randomBytes } from 'node:crypto';

const harmless = /^[\w.:-]{1,128}$/;

/** Returns the caller's own id if it is harmless in logs and headers, otherwise a new one. */
export function requestIdOf(claimed: string | string[] | undefined, next: () => string): string {
  return typeof claimed === 'string' && harmless.test(claimed) ? claimed : next();
}

/**
 * Ids are unique across processes by a random stem and within a process by a counter. A random number per request would
 * cost more than it is worth.
 */
export function requestIds(): () => string {
  const stem = randomBytes(9).toString('base64url').replaceAll(/[-_]/g, '0');
  let count = 0;
  return () => `req_${stem}${(count++).toString(36).padStart(6, '0')}`;
}
