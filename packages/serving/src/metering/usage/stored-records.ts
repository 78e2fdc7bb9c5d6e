import type { UsageRecord } from '@tallyport/contracts';

/** Returns the ids of those of these records that the ledger does not have. Rejects while it does not answer. */
export type FindMissing = (records: readonly UsageRecord[]) => Promise<ReadonlySet<string>>;

/** Records that the journal has acknowledged, until the ledger has them. */
export interface StoredRecords {
  add(record: UsageRecord): void;
  /** Asks the ledger about the records that are due, and sends the missing ones again. */
  compare(): Promise<void>;
}

interface StoredRecordsOptions {
  findMissing: FindMissing;
  sendAgain(record: UsageRecord): void;
  /** The ledger did not answer, and is asked again after a pause. */
  onFailed(error: unknown): void;
  /** The time after each acknowledgement of a record; it is sent again once less often. */
  waitsMs?: readonly number[];
}

/**
 * The ledger has a record one or two seconds after it was stored. It has not if the journal lost it, or if it is behind
 * after an outage: therefore the waits grow, and end.
 */
const usualWaitsMs = [10_000, 60_000, 600_000];
/** With more records, the oldest is forgotten. About 10 MB. */
export const maxStored = 10_000;
const maxAsked = 1_000;
/** After a comparison without an answer. */
const pauseMs = 30_000;

interface StoredRecord {
  record: UsageRecord;
  /** How often it was sent again. */
  repeated: number;
  dueAt: number;
}

export function createStoredRecords(options: StoredRecordsOptions): StoredRecords {
  const { findMissing, sendAgain, onFailed, waitsMs = usualWaitsMs } = options;
  /** By id, the oldest first. */
  const stored = new Map<string, StoredRecord>();
  /** Goes on from where it was: a new one would search the places of all that were forgotten before. */
  const oldestFirst = stored.keys();
  let comparing = false;
  let pausedUntil = -Infinity;

  function handle(one: StoredRecord): void {
    if (one.repeated + 1 >= waitsMs.length) return void stored.delete(one.record.id);
    one.repeated += 1;
    // Until it is acknowledged again.
    one.dueAt = Infinity;
    sendAgain(one.record);
  }

  async function compareDue(now: number): Promise<void> {
    const due = [...stored.values()].filter(({ dueAt }) => dueAt <= now);
    for (let at = 0; at < due.length; at += maxAsked) {
      const asked = due.slice(at, at + maxAsked);
      const missing = await findMissing(asked.map(({ record }) => record));
      for (const one of asked) {
        if (missing.has(one.record.id)) handle(one);
        else stored.delete(one.record.id);
      }
    }
  }

  return {
    add(record) {
      const repeated = stored.get(record.id)?.repeated ?? 0;
      stored.delete(record.id);
      const oldest = stored.size === maxStored ? oldestFirst.next().value : undefined;
      if (oldest !== undefined) stored.delete(oldest);
      stored.set(record.id, { record, repeated, dueAt: performance.now() + (waitsMs[repeated] ?? 0) });
    },
    async compare() {
      const now = performance.now();
      if (comparing || stored.size === 0 || now < pausedUntil) return;
      comparing = true;
      await compareDue(now).catch((error: unknown) => {
        pausedUntil = performance.now() + pauseMs;
        onFailed(error);
      });
      comparing = false;
    },
  };
}
