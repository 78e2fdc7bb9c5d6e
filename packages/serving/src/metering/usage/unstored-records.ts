import type { UsageRecord } from '@tallyport/contracts';

/** A record that was sent to the journal, whose answer is awaited. */
export interface UnstoredRecord {
  readonly record: UsageRecord;
  readonly sentAt: number;
  /** Call when the record is stored, or kept elsewhere. */
  readonly over: () => void;
}

interface UnstoredRecords {
  readonly size: () => number;
  add(sent: UnstoredRecord): void;
  /** Returns `false` if it was late before. */
  remove(sent: UnstoredRecord): boolean;
}

/** Gives every record the same time for its answer. One timer serves all, because nearly every answer is in time. */
export function createUnstoredRecords(waitMs: number, onLate: (sent: UnstoredRecord) => void): UnstoredRecords {
  /** The oldest first. */
  const waiting = new Set<UnstoredRecord>();
  let timer: NodeJS.Timeout | undefined;

  function arm(oldest: UnstoredRecord): void {
    timer = setTimeout(check, Math.max(0, Math.ceil(oldest.sentAt + waitMs - performance.now())));
  }

  function check(): void {
    timer = undefined;
    const now = performance.now();
    for (const sent of waiting) {
      if (sent.sentAt + waitMs > now) return arm(sent);
      waiting.delete(sent);
      onLate(sent);
    }
  }

  return {
    size: () => waiting.size,
    add(sent) {
      waiting.add(sent);
      if (timer === undefined) arm(sent);
    },
    remove: (sent) => waiting.delete(sent),
  };
}
