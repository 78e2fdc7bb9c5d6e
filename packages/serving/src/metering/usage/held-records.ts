import type { UsageRecord } from '@tallyport/contracts';

/** Records in memory, oldest first: the last resort, lost when the process ends. */
export interface HeldRecords {
  /** Returns `false` if there is no room. */
  add(record: UsageRecord): boolean;
  /** Returns the oldest record. */
  first(): UsageRecord | undefined;
  remove(record: UsageRecord): void;
  bytes(): number;
}

export function createHeldRecords(maxBytes: number): HeldRecords {
  const held = new Map<UsageRecord, number>();
  let total = 0;
  return {
    add(record) {
      // Its size when written: the line and its line break.
      const bytes = Buffer.byteLength(JSON.stringify(record)) + 1;
      if (total + bytes > maxBytes) return false;
      held.set(record, bytes);
      total += bytes;
      return true;
    },
    first: () => held.keys().next().value,
    remove(record) {
      total -= held.get(record) ?? 0;
      held.delete(record);
    },
    bytes: () => total,
  };
}
