import { contentHash } from '@tallyport/sandbox';

/** The signature of simulated reasoning, with which a family recognizes its own text when a client sends it back. */
export const signThought = (words: string): string =>
  Buffer.from(`simulated-signature:${contentHash(words)}`).toString('base64');
