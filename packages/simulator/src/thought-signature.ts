import { fingerprint } from '@switchyard/sandbox';

/** What a family signs its reasoning with, so that it can tell its own words when they come back. */
export const signatureOf = (words: string): string =>
  Buffer.from(`simulated-signature:${fingerprint(words)}`).toString('base64');
