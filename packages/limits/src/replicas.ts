import { randomUUID } from 'node:crypto';
import type { Store } from '@tallyport/store';

/** The number of processes that share the limits, so that each knows its part while the store is unavailable. */
export interface Replicas {
  /** The unique id of this process. */
  readonly self: string;
  /** The last known number. Until it is known, a high assumption: see `assumedReplicas`. */
  count(): number;
  stop(): Promise<void>;
}

interface ReplicasOptions {
  store: Store;
  /** Name of the group of processes that share the same counts. */
  group: string;
  /** Called at about the interval of the heartbeats. */
  onBeat?(): void;
}

/** A replica that has been silent for this long is considered dead, and its share expires. */
export const replicaTtlMs = 6_000;
const beatMs = 2_000;

/** The number of replicas that is assumed, at least, while it is unknown. */
export const fewestReplicas = 3;
/** The fraction of its part with which a process starts, because its predecessor may just have used the rest. */
const partAtStart = 1 / 4;
const earnedInMs = 60_000;

/**
 * The assumed number of replicas for a process that started while the store is unavailable. Its part grows with time.
 */
export const assumedReplicas = (sinceStartMs: number): number =>
  fewestReplicas / Math.max(partAtStart, Math.min(1, sinceStartMs / earnedInMs));

export function joinReplicas({ store, group, onBeat }: ReplicasOptions): Replicas {
  const self = randomUUID();
  const key = `replicas:${group}`;
  const startedAt = performance.now();
  let known: number | undefined;

  async function look(): Promise<void> {
    known = (await store.present(key, { member: self, ttlMs: replicaTtlMs })) ?? known;
  }
  const beating = setInterval(() => {
    onBeat?.();
    void look();
  }, beatMs);
  void look();

  return {
    self,
    count: () => known ?? assumedReplicas(performance.now() - startedAt),
    async stop() {
      clearInterval(beating);
      await store.present(key, { member: self, ttlMs: 0 });
    },
  };
}
