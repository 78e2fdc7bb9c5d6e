/** How much a stream holds, and its limit; -1 is none. */
export interface StreamSize {
  bytes: number;
  maxBytes: number;
}

/**
 * Refuses messages before their stream is full. NATS servers before 2.10.5 count a message smaller than they store it, and
 * remove the oldest entry when the last one exceeds the limit, although the stream discards new ones (nats-server #4771).
 */
interface JournalRoom {
  /** Resolves when a message of `bytes` may be published. Rejects when the stream is nearly full or its size cannot be read. */
  reserve(bytes: number): Promise<void>;
}

const checkEveryMs = 1_000;
/** While the stream is full its size is read again only after this time. */
const recheckMs = 250;
/** Stays free for what other replicas publish between two checks: this, or half of a small limit. */
const mostFreeBytes = 64 * 1024 * 1024;
/** After this part of the free bytes a replica checks again. */
const replicaShare = 8;
/** Headers, and what the server stores around a message. */
const overheadBytes = 256;

export function createJournalRoom(readSize: () => Promise<StreamSize>): JournalRoom {
  let room = 0;
  let share = 0;
  let spent = 0;
  let checkedAt = -Infinity;
  let checking: Promise<void> | undefined;

  async function readRoom(): Promise<void> {
    const spentBefore = spent;
    const { bytes, maxBytes } = await readSize();
    const free = Math.min(maxBytes / 2, mostFreeBytes);
    room = maxBytes < 0 ? Infinity : maxBytes - free - bytes;
    share = maxBytes < 0 ? Infinity : free / replicaShare;
    spent -= spentBefore;
    checkedAt = performance.now();
  }
  const check = (): Promise<void> => (checking ??= readRoom().finally(() => (checking = undefined)));

  return {
    async reserve(bytes) {
      const needed = bytes + overheadBytes;
      const ageMs = performance.now() - checkedAt;
      const isFull = needed > room - spent;
      if (isFull ? ageMs >= recheckMs : spent > 0 && spent + needed > share) await check();
      else if (ageMs >= checkEveryMs) void check().catch(() => undefined);
      if (needed > room - spent) throw new Error('The journal is full.');
      spent += needed;
    },
  };
}
