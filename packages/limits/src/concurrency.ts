import type { ConcurrencyRule } from './concurrency-rules.ts';
import { HeldShare, type Leave, type ShareTools } from './held-share.ts';
import type { RuleScope } from './rule-scope.ts';

export interface Concurrency {
  /** Admits a request, or throws `rate_limit_exceeded`. Returns a function to call at its end. */
  enter(rule: ConcurrencyRule): Leave | Promise<Leave>;
  /** Renews the shares of this replica before they expire. */
  beat(): void;
  stop(): Promise<void>;
}

interface ConcurrencyOptions extends Pick<ShareTools, 'store' | 'replicas' | 'onDecision'> {
  now?: () => number;
}

/**
 * Limits the running requests of keys, projects and accounts over all replicas. Each replica holds a share, within which it
 * admits locally.
 */
export function createConcurrency({ now = () => performance.now(), ...rest }: ConcurrencyOptions): Concurrency {
  // Only of keys, projects and accounts with running or recent requests, so the size is bounded by the traffic.
  const shares = new Map<string, HeldShare>();
  const tools: ShareTools = { ...rest, now, onEmpty: ({ name }) => void shares.delete(name) };

  return {
    enter({ scope, id, limit }) {
      const name = shareName(scope, id);
      const share = shares.get(name) ?? new HeldShare({ scope, name }, tools);
      shares.set(name, share);
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

/** Accounts have no prefix, because the release before counts their requests under this name. */
const shareName = (scope: RuleScope, id: string): string =>
  scope === 'account' ? `concurrency:${id}` : `concurrency:${scope}:${id}`;
