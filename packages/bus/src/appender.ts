import { GatewayError } from '@tallyport/contracts';
import type { JournalEntry } from './link.ts';
import { createPace } from './pace.ts';

/** One or several entries. */
export interface JournalMessage {
  bytes: Uint8Array;
  onSent(): void;
}

/** Stores a message. */
type Publish = (message: JournalMessage) => Promise<void>;

interface PendingEntry extends JournalEntry {
  resolve(): void;
  reject(error: unknown): void;
}

/** When this many entries wait, `append` rejects: callers have another place to store an entry. */
const maxWaiting = 10_000;
const maxEntries = 64;
const maxBytes = 256 * 1024;
/** With this many messages in flight, further entries are gathered. */
const maxInFlight = 2;
/**
 * Pause between two messages under load. It delays the end of an answer by at most this, and all entries of the time
 * share a message.
 */
const gatherMs = 4;
/** If fewer entries than this arrive within that time, waiting is not worth it. */
const minGathered = 2;

/**
 * Appends entries to a journal. With little load each entry is sent at once; under load, entries that arrive while
 * others are in flight share one message, at a fraction of the cost per entry.
 */
export class Appender {
  readonly #publish: Publish;
  #waiting: PendingEntry[] = [];
  #inFlight = 0;
  readonly #pace = createPace();
  #sentAt = -gatherMs;
  #gathering: NodeJS.Timeout | undefined;

  constructor(publish: Publish) {
    this.#publish = publish;
  }

  /**
   * Resolves when the entry is stored. Rejects with `unavailable` when too many wait, or with the error of `publish`.
   */
  append(entry: JournalEntry): Promise<void> {
    if (this.#waiting.length >= maxWaiting) {
      return Promise.reject(
        new GatewayError('unavailable', 'The journal is overloaded. Try again in a second.', { retryAfterMs: 1_000 }),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...entry, resolve, reject });
      this.#pace.count();
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#gathering !== undefined) return;
    const isBusy = this.#pace.perMs() * gatherMs >= minGathered;
    const waitMs = isBusy ? this.#sentAt + gatherMs - performance.now() : 0;
    if (waitMs <= 0) return this.#send();
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      this.#send();
    }, waitMs);
  }

  #send(): void {
    while (this.#inFlight < maxInFlight && this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#batchLength());
      this.#inFlight += 1;
      this.#sentAt = performance.now();
      void this.#sendOne(batch);
    }
  }

  async #sendOne(batch: readonly PendingEntry[]): Promise<void> {
    try {
      await this.#publish({
        bytes: joinEntries(batch.map(({ bytes }) => bytes)),
        onSent: () => batch.forEach(({ onSent }) => onSent?.()),
      });
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#inFlight -= 1;
    this.#schedule();
  }

  #batchLength(): number {
    let bytes = 0;
    let length = 0;
    for (const entry of this.#waiting) {
      bytes += entry.bytes.length;
      if (length === maxEntries || (length > 0 && bytes > maxBytes)) break;
      length += 1;
    }
    return length;
  }
}

const lengthBytes = 4;

/**
 * A single entry is not changed. Several are each preceded by their length, whose first byte is 0, which JSON never
 * starts with.
 */
export function joinEntries(entries: readonly Uint8Array[]): Uint8Array {
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) return only;
  const parts = entries.flatMap((entry) => {
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(entry.length);
    return [length, entry];
  });
  return Buffer.concat(parts);
}

export function splitEntries(message: Uint8Array): Uint8Array[] {
  if (message[0] !== 0) return [message];
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const entries: Uint8Array[] = [];
  for (let at = 0; at + lengthBytes <= bytes.length;) {
    const from = at + lengthBytes;
    at = from + bytes.readUInt32BE(at);
    entries.push(bytes.subarray(from, at));
  }
  return entries;
}
