import type { Store } from '@tallyport/store';
import type { Health } from './health.ts';

interface ShareOptions {
  store: Pick<Store, 'accumulate'>;
  health: Health;
  halfLifeMs: number;
  everyMs: number;
  /** The number of replicas that share. */
  replicas(): number;
  onShared?(): void;
}

export interface Share {
  /** Shares this replica's sums and takes over those of all replicas. One round trip; calls during one join it. */
  now(): Promise<void>;
  stop(): Promise<void>;
}

const key = 'offer-health';

/**
 * Each round takes the store about 200 µs with 400 offers, and sends 40 KB. With more than 200 replicas each shares less often,
 * so that all together share as often as 200: with 3,000 replicas every 15 s, which is short beside a half-life of 75 s.
 */
const msPerReplica = 5;

export const sharingIntervalMs = (everyMs: number, replicas: number): number =>
  Math.max(everyMs, replicas * msPerReplica);

/**
 * Shares health between replicas in the background: no request waits for the store. While the store is unavailable, a
 * replica uses what it last received and its own observations.
 */
export function shareHealth({ store, health, halfLifeMs, everyMs, replicas, onShared }: ShareOptions): Share {
  let inProgress: Promise<void> | undefined;
  const share = async () => {
    health.confirm(await store.accumulate(key, health.unshared(), halfLifeMs));
    inProgress = undefined;
    onShared?.();
  };
  const now = () => (inProgress ??= share());
  let timer: NodeJS.Timeout;
  const keepSharing = (): void => {
    timer = setTimeout(
      () => {
        void now();
        keepSharing();
      },
      sharingIntervalMs(everyMs, replicas()),
    );
  };
  keepSharing();
  return {
    now,
    async stop() {
      clearTimeout(timer);
      await inProgress;
      await now();
    },
  };
}
