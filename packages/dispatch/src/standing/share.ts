import type { Store } from '@tallyport/store';
import type { Health } from './health.ts';

interface ShareOptions {
  store: Pick<Store, 'accumulate'>;
  health: Health;
  halfLifeMs: number;
  everyMs: number;
  onShared?(): void;
}

export interface Share {
  /** Shares this replica's sums and takes over those of all replicas. One round trip; calls during one join it. */
  now(): Promise<void>;
  stop(): Promise<void>;
}

const key = 'offer-health';

/**
 * Shares health between replicas in the background: no request waits for the store. While the store is unavailable, a
 * replica uses what it last received and its own observations.
 */
export function shareHealth({ store, health, halfLifeMs, everyMs, onShared }: ShareOptions): Share {
  let inProgress: Promise<void> | undefined;
  const share = async () => {
    health.confirm(await store.accumulate(key, health.unshared(), halfLifeMs));
    inProgress = undefined;
    onShared?.();
  };
  const now = () => (inProgress ??= share());
  const timer = setInterval(() => void now(), everyMs);
  return {
    now,
    async stop() {
      clearInterval(timer);
      await inProgress;
      await now();
    },
  };
}
