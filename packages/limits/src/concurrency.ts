import { AccountShare, type Leave, type ShareTools } from './account-share.ts';

export interface Concurrency {
  /** Lets a request run beside the others of its account, or throws `rate_limit_exceeded`. */
  enter(accountId: string, limit: number): Leave | Promise<Leave>;
  /** Says again what this replica holds, before it is taken for dead. */
  beat(): void;
  stop(): Promise<void>;
}

export interface ConcurrencyOptions extends Pick<ShareTools, 'store' | 'replicas' | 'onDecision'> {
  now?: () => number;
}

/** Running requests of an account over all replicas: each holds a share and lets in that many without asking. */
export function createConcurrency({ now = () => performance.now(), ...rest }: ConcurrencyOptions): Concurrency {
  // Only accounts that something runs of or ran lately: bounded by the requests that come.
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
