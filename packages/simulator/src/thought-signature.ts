import { contentHash } from '@switchyard/sandbox';

/** The signature of a family's reasoning, by which it recognises its own text when a client sends it back. */
export const signThought = (words: string): string =>
  Buffer.from(`simulated-signature:${contentHash(words)}`).toString('base64');
