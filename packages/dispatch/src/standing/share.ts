import type { Store } from '@switchyard/store';
import type { Health } from './health.ts';

export interface ShareOptions {
  store: Pick<Store, 'accumulate'>;
  health: Health;
  halfLifeMs: number;
  everyMs: number;
  onShared?(): void;
}

export interface Share {
  /** Tells what is new here and learns what all replicas know. One round trip, never more than one under way. */
  now(): Promise<void>;
  stop(): Promise<void>;
}

const key = 'offer-health';

/**
 * Health is one for all replicas, told and asked beside requests: no request ever waits for the store. While the store
 * is away a replica goes by what it last knew and what it sees itself.
 */
export function shareHealth({ store, health, halfLifeMs, everyMs, onShared }: ShareOptions): Share {
  let underWay: Promise<void> | undefined;
  const tell = async () => {
    health.told(await store.accumulate(key, health.untold(), halfLifeMs));
    underWay = undefined;
    onShared?.();
  };
  const now = () => (underWay ??= tell());
  const timer = setInterval(() => void now(), everyMs);
  return {
    now,
    async stop() {
      clearInterval(timer);
      await underWay;
      await now();
    },
  };
}
