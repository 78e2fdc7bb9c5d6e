import type { UsageRecord } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { type ProviderKeyUse, recordKeyUse } from '@tallyport/management-server';
import { repeat } from '@tallyport/service-kit';

interface ProviderKeyUses {
  /** Notes the use of accounts' own keys in records of the journal. */
  note(records: readonly UsageRecord[]): void;
  /** Stops the timer and writes what is pending. */
  stop(): Promise<void>;
}

const intervalMs = 5_000;
const maxKeys = 10_000;

/**
 * Records when provider keys were last used and how they last failed: a statement per key and interval, never one per
 * request. A failed write is reported and lost. Only failures by the fault of the key count.
 */
export function createProviderKeyUses(database: Database, onFailed: (error: unknown) => void): ProviderKeyUses {
  let uses = new Map<string, ProviderKeyUse>();
  const stopWriting = repeat({ everyMs: intervalMs, onFailed }, write);

  function note(records: readonly UsageRecord[]): void {
    for (const { at, attempts } of records) {
      for (const { ownKeyId, error } of attempts) {
        if (ownKeyId === undefined || (uses.size >= maxKeys && !uses.has(ownKeyId))) continue;
        uses.set(ownKeyId, mergeUse(uses.get(ownKeyId), { at, error }));
      }
    }
  }

  async function write(): Promise<void> {
    const pending = [...uses].toSorted(([one], [other]) => (one < other ? -1 : 1));
    uses = new Map();
    for (const [id, use] of pending) await recordKeyUse(database, id, use);
  }

  return {
    note,
    async stop() {
      stopWriting();
      await write().catch(onFailed);
    },
  };
}

function mergeUse(before: ProviderKeyUse | undefined, { at, error }: { at: string; error: string }): ProviderKeyUse {
  const use: ProviderKeyUse = { ...before, usedAt: later(before?.usedAt, at) };
  if (error === 'none') use.workedAt = later(before?.workedAt, at);
  else if (error.startsWith('own_key_') && at >= (before?.error?.at ?? '')) use.error = { type: error, at };
  return use;
}

const later = (one: string | undefined, other: string): string => (one !== undefined && one > other ? one : other);
