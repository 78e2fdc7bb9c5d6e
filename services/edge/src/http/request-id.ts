import { randomBytes } from 'node:crypto';

const sane = /^[\w.:-]{1,128}$/;

/** The caller's own id where it is harmless in logs and headers, else a new one. */
export function requestIdOf(claimed: string | string[] | undefined, next: () => string): string {
  return typeof claimed === 'string' && sane.test(claimed) ? claimed : next();
}

/** Unique over processes by a random stem and within one by a count: a random number per request costs more than it gives. */
export function requestIds(): () => string {
  const stem = randomBytes(9).toString('base64url').replaceAll(/[-_]/g, '0');
  let count = 0;
  return () => `req_${stem}${(count++).toString(36).padStart(6, '0')}`;
}
