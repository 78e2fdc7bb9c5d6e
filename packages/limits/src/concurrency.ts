import { AccountShare, type Leave, type ShareTools } from './account-share.ts';

export interface Concurrency {
  /** Admits a request of the account, or throws `rate_limit_exceeded`. Returns a function to call at its end. */
  enter(accountId: string, limit: number): Leave | Promise<Leave>;
  /** Renews the shares of this replica before they expire. */
  beat(): void;
  stop(): Promise<void>;
}

export interface ConcurrencyOptions extends Pick<ShareTools, 'store' | 'replicas' | 'onDecision'> {
  now?: () => number;
}

/**
 * Limits the running requests of an account over all replicas. Each replica holds a share, within which it admits
 * locally.
 */
export function createConcurrency({ now = () => performance.now(), ...rest }: ConcurrencyOptions): Concurrency {
  // Only accounts with running or recent requests, so the size is bounded by the traffic.
  const shares = new Map<string, AccountShare>();
  const tools: ShareTools = { ...rest, now, onEmpty: (accountId) => void shares.delete(accountId) };

  return {
    enter(accountId, limit) {
      const share = shares.get(accountId) ?? new AccountShare(accountId, tools);
      shares.set(accountId, share);
      return share.enter(limit);
    },
    beat() {
      for (const share of shares.values()) share.beat();
    },
    async stop() {
      await Promise.all([...shares.values()].map((share) => share.giveUp()));
    },
  };
}
