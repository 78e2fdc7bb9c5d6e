import type { Store } from './store.ts';

/** Limits how many bytes each holder keeps in the store, so that one holder cannot evict the values of others. */
export interface ByteQuota {
  /**
   * Counts `bytes` that are kept for `keptMs`; `undefined` if that exceeds the holder's quota. While the store is
   * unavailable nothing is counted or refused, because the store accepts no values then either.
   */
  take(holder: string, bytes: number, keptMs: number): Promise<QuotaShare | undefined>;
  /** Releases the bytes of a value that is deleted before its time. */
  release(holder: string, deleted: DeletedValue): void;
}

export interface QuotaShare {
  /** Where the bytes are counted, for `release`. */
  slot: number;
  /** Releases the bytes if the value was not stored after all. */
  giveBack(): void;
}

interface DeletedValue {
  bytes: number;
  keptMs: number;
  slot: number;
}

interface ByteQuotaOptions {
  store: Pick<Store, 'spend'>;
  /** Names the kind of value, as part of the key. */
  name: string;
  maxBytes: number;
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
/** Values are counted in one window per range of lifetimes. */
const windows = [minute, 10 * minute, hour, day, 7 * day, 31 * day, 366 * day];

export function createByteQuota({ store, name, maxBytes }: ByteQuotaOptions): ByteQuota {
  const windowOf = (holder: string, keptMs: number) => {
    const windowMs = windows.find((each) => keptMs <= each) ?? keptMs;
    return { key: `kept:${name}:${holder}:${windowMs}`, rule: { limit: maxBytes, windowMs } };
  };
  const release: ByteQuota['release'] = (holder, { bytes, keptMs, slot }) => {
    const { key, rule } = windowOf(holder, keptMs);
    void store.spend(key, { ...rule, wanted: 0, owed: -bytes, owedAt: slot });
  };
  return {
    async take(holder, bytes, keptMs) {
      const { key, rule } = windowOf(holder, keptMs);
      const spent = await store.spend(key, { ...rule, wanted: bytes });
      if (spent === undefined) return { slot: 0, giveBack() {} };
      if (spent.granted < bytes) return undefined;
      const { slot } = spent;
      return { slot, giveBack: () => release(holder, { bytes, keptMs, slot }) };
    },
    release,
  };
}
