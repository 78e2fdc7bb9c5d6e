import { randomBytes } from 'node:crypto';
import { knownValues, type Store } from '@tallyport/store';
import { accountHash } from '../account-hash.ts';
import { summariesUnavailable } from './refusals.ts';
import { sealKeyBytes } from './seal.ts';

/** Whose a compaction is: keys of another project of the account cannot read it. */
export interface SealOwner {
  accountId: string;
  projectId?: string | undefined;
}

/** The keys that compactions are sealed with: one per account and project, the same for all replicas. */
export interface SealKeys {
  /** The key of an owner, a new one if it has none. Throws `unavailable` if that is unknown. */
  make(owner: SealOwner): Promise<Uint8Array>;
  /** `undefined` if the owner has none. Throws `unavailable` if that is unknown. */
  find(owner: SealOwner): Promise<Uint8Array | undefined>;
}

/** After the last compaction. What was sealed cannot be read longer. */
const keptMs = 366 * 24 * 60 * 60 * 1000;

export const createSealKeys = (store: Pick<Store, 'find' | 'set' | 'setIfAbsent'>): SealKeys => ({
  async make(owner) {
    const name = nameOf(owner);
    const made = randomBytes(sealKeyBytes);
    const result = await store.setIfAbsent(name, made, keptMs);
    if (result === 'stored') return made;
    if (typeof result === 'string') throw summariesUnavailable();
    await store.set(name, result.present, keptMs);
    return result.present;
  },
  find: (owner) => knownValues(store, summariesUnavailable).get(nameOf(owner)),
});

const nameOf = ({ accountId, projectId }: SealOwner): string =>
  `compaction-key:${accountHash(accountId, projectId ?? null)}`;
