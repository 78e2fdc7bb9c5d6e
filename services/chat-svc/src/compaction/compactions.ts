import { cannotOpen, tooManyCompactions } from './refusals.ts';
import { openSummary, sealSummary } from './seal.ts';
import type { SealKeys, SealOwner } from './seal-keys.ts';

/** A sealed summary, and what a refusal calls it. */
export interface SealedCompaction {
  sealed: string;
  param: string;
}

/** What was said before a point of a conversation, as a summary that only its owner can use. */
export interface Compactions {
  /** Makes the function that seals the summaries of a request. Throws `unavailable`. */
  sealer(owner: SealOwner): Promise<(summary: string) => string>;
  /** The summaries in the same order. Throws `invalid_parameters` for any that is not the owner's, and `unavailable`. */
  open(owner: SealOwner, sealed: readonly SealedCompaction[]): Promise<string[]>;
}

/** In one request. */
const mostCompactions = 100;

export const createCompactions = (keys: SealKeys): Compactions => ({
  async sealer(owner) {
    const key = await keys.make(owner);
    return (summary) => sealSummary(summary, key);
  },
  async open(owner, compactions) {
    if (compactions.length === 0) return [];
    if (compactions.length > mostCompactions) throw tooManyCompactions(mostCompactions);
    const key = await keys.find(owner);
    return compactions.map(({ sealed, param }) => {
      const summary = key && openSummary(sealed, key);
      if (summary === undefined) throw cannotOpen(param);
      return summary;
    });
  },
});
