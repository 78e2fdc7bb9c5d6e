import { randomUUID } from 'node:crypto';
import type { Store } from '@switchyard/store';

/** How many processes share the limits, so that each knows its part when they cannot ask one another. */
export interface Replicas {
  /** This process among them. */
  readonly self: string;
  /** As last known; 1 when it never was. */
  count(): number;
  stop(): Promise<void>;
}

export interface ReplicasOptions {
  store: Store;
  /** Those that count the same things. */
  group: string;
  /** Called about as often as replicas say that they live. */
  onBeat?(): void;
}

/** A replica not heard of for so long is dead, and what it held is given back. */
export const replicaTtlMs = 6_000;
const beatMs = 2_000;

export function joinReplicas({ store, group, onBeat }: ReplicasOptions): Replicas {
  const self = randomUUID();
  const key = `replicas:${group}`;
  const say = (wanted: number) =>
    store.share(key, { holder: self, needed: wanted, wanted, limit: Number.MAX_SAFE_INTEGER, ttlMs: replicaTtlMs });
  let known = 1;

  async function look(): Promise<void> {
    const shared = await say(1);
    if (shared) known = shared.holders;
  }
  const beating = setInterval(() => {
    onBeat?.();
    void look();
  }, beatMs);
  void look();

  return {
    self,
    count: () => known,
    async stop() {
      clearInterval(beating);
      await say(0);
    },
  };
}
