import { contentHash } from '@switchyard/sandbox';

/** What a family signs its reasoning with, so that it can tell its own words when they come back. */
export const signThought = (words: string): string =>
  Buffer.from(`simulated-signature:${contentHash(words)}`).toString('base64');
