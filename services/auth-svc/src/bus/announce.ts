import type { AuthEvents } from '../events.ts';

/** What the replicas of every service are told, so that what they keep in memory is no longer believed. */
export interface Notices {
  keyRevoked(notice: { keyHash: string }): void;
  accountChanged(notice: { accountId: string }): void;
}

/** Tells of what has happened, once it is in the database. */
export interface Announce {
  keyCreated(keyId: string): void;
  keyRevoked(keyId: string, hashes: readonly string[]): void;
  /** What is known of keys of these hashes is no longer so. */
  keysEnded(hashes: readonly string[]): void;
  accountChanged(accountId: string): void;
  providerKeyChanged(change: 'created' | 'changed' | 'deleted', of: { id: string; accountId: string }): void;
}

export function createAnnounce(
  notices: Notices,
  events: Pick<AuthEvents, 'keyCreated' | 'keyRevoked' | 'providerKeyChanged'>,
): Announce {
  const keysEnded = (hashes: readonly string[]): void => {
    for (const keyHash of hashes) notices.keyRevoked({ keyHash });
  };
  return {
    keyCreated: events.keyCreated,
    keyRevoked(keyId, hashes) {
      events.keyRevoked(keyId);
      keysEnded(hashes);
    },
    keysEnded,
    accountChanged: (accountId) => notices.accountChanged({ accountId }),
    providerKeyChanged(change, { id, accountId }) {
      events.providerKeyChanged(change, id);
      notices.accountChanged({ accountId });
    },
  };
}
