import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Journal } from '@tallyport/contracts';
import { decodeJson } from './json.ts';
import type { ConsumeOptions, Consumer, Link } from './link.ts';

/** A journal entry that does not match the contract: its raw bytes and the validation error. */
export interface Unreadable {
  entry: Uint8Array;
  error: unknown;
}

interface JournalOptions extends ConsumeOptions {
  /**
   * Called with the entries that do not match the contract, before the rest of their batch. If it rejects, the whole
   * batch is delivered again. Without it, these entries are reported to `onFailure` and dropped.
   */
  onUnreadable?: (entries: readonly Unreadable[]) => Promise<void>;
}

export interface JournalClient<Entry> {
  /** See `Journals`. */
  readonly mayLose: boolean;
  /** Resolves when the entry is stored durably. For `onSent` see `JournalEntry`. */
  append(entry: Entry, onSent?: () => void): Promise<void>;
  /** Delivers batches, at least once. */
  consume(handler: (entries: readonly Entry[]) => Promise<void>, options?: JournalOptions): Promise<Consumer>;
}

type EntrySchema = Journal['entry'];

/** Yields to the event loop after reading this many entries, which takes about a millisecond. */
const entriesPerTurn = 25;

export function journalClient(link: Link, subject: string, entry: EntrySchema): JournalClient<{ id: string }> {
  return {
    mayLose: link.journals.mayLose,
    append(value, onSent) {
      const bytes = Buffer.from(JSON.stringify(value));
      return link.journals.append(subject, { id: value.id, bytes, ...(onSent && { onSent }) });
    },
    consume(handler, { onUnreadable, ...options } = {}) {
      const reportOnly = async (unreadable: readonly Unreadable[]): Promise<void> =>
        unreadable.forEach(({ error }) => options.onFailure?.(error));
      async function deliver(batch: readonly Uint8Array[]): Promise<void> {
        const { readable, unreadable } = await read(batch, entry);
        if (unreadable.length > 0) await (onUnreadable ?? reportOnly)(unreadable);
        if (readable.length > 0) await handler(readable);
      }
      return link.journals.consume(subject, deliver, options);
    },
  };
}

async function read(batch: readonly Uint8Array[], schema: EntrySchema) {
  const readable: { id: string }[] = [];
  const unreadable: Unreadable[] = [];
  for (const [at, entry] of batch.entries()) {
    if (at > 0 && at % entriesPerTurn === 0) await nextTurn();
    const result = schema.safeParse(decodeJson(entry));
    if (result.success) readable.push(result.data);
    else unreadable.push({ entry, error: result.error });
  }
  return { readable, unreadable };
}
