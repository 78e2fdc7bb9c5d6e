import { checkReplica, type ReplicaCheckResult } from './check-replica.ts';
import { type ProxiedReplica, watchReplica } from './replica.ts';

export interface ProxyTargets {
  /**
   * Returns the next replica in turn that answers. If none does, returns the next in turn, so that the request fails
   * there.
   */
  next(): Promise<string>;
  /** Reports a failed request: the replica is checked before it gets the next one. */
  suspect(target: string): void;
  /** Watches the replica during a request: see `ProxiedReplica`. */
  watch(target: string, lost: () => void): () => void;
}

export interface TargetsOptions {
  addresses(): readonly string[];
  /** The path that a check requests; serving it must be cheap. */
  checkPath: string;
  checkReplica?: (target: string, path: string) => Promise<ReplicaCheckResult>;
}

/** Rotates between replicas. A replica that is gone or hangs is skipped, and used again as soon as it answers. */
export function createTargets({
  addresses,
  checkPath,
  checkReplica: runCheck = checkReplica,
}: TargetsOptions): ProxyTargets {
  const replicas = new Map<string, ProxiedReplica>();
  let turn = 0;

  function replicaAt(target: string): ProxiedReplica {
    const replica = replicas.get(target) ?? watchReplica(() => runCheck(target, checkPath));
    replicas.set(target, replica);
    return replica;
  }

  return {
    async next() {
      const targets = addresses();
      const first = turn++ % targets.length;
      // With a single replica there is no choice, so it is not checked.
      if (targets.length === 1) return targets[0]!;
      const order = [...targets.slice(first), ...targets.slice(0, first)];
      for (const target of order) if (await replicaAt(target).answers()) return target;
      return order[0]!;
    },
    suspect: (target) => replicaAt(target).suspect(),
    watch: (target, lost) => replicaAt(target).watch(lost),
  };
}
