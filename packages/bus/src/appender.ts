import { hash } from 'node:crypto';
import { GatewayError } from '@switchyard/contracts';
import { createPace } from './pace.ts';

/** Stores a message under an id, once for each id. */
export type Publish = (id: string, message: Uint8Array) => Promise<void>;

interface Waiting {
  id: string;
  entry: Uint8Array;
  resolve(): void;
  reject(error: unknown): void;
}

/** Beyond it appending is refused: whoever appends has somewhere else to put it. */
const maxWaiting = 10_000;
const maxEntries = 64;
const maxBytes = 256 * 1024;
/** While so many are on their way, what comes is gathered. */
const mostInFlight = 2;
/** Between two messages when much comes: an answer may end so much later, and the message is shared by all of that time. */
const gatherMs = 4;
/** Fewer entries than these within that time are not worth waiting for. */
const leastCompany = 2;

/**
 * Appends entries to a journal: at once while it is quiet; when it is busy all that has come meanwhile goes in one message,
 * which costs a fraction of a message each.
 */
export class Appender {
  readonly #publish: Publish;
  #waiting: Waiting[] = [];
  #inFlight = 0;
  readonly #pace = createPace();
  #departedAt = -gatherMs;
  #gathering: NodeJS.Timeout | undefined;

  constructor(publish: Publish) {
    this.#publish = publish;
  }

  append(id: string, entry: Uint8Array): Promise<void> {
    if (this.#waiting.length >= maxWaiting) {
      return Promise.reject(new GatewayError('unavailable', 'The journal does not keep up.', { retryAfterMs: 1_000 }));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, entry, resolve, reject });
      this.#pace.count();
      this.#soon();
    });
  }

  #soon(): void {
    if (this.#gathering !== undefined) return;
    const isBusy = this.#pace.perMs() * gatherMs >= leastCompany;
    const waitMs = isBusy ? this.#departedAt + gatherMs - performance.now() : 0;
    if (waitMs <= 0) return this.#send();
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      this.#send();
    }, waitMs);
  }

  #send(): void {
    while (this.#inFlight < mostInFlight && this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#batchLength());
      this.#inFlight += 1;
      this.#departedAt = performance.now();
      void this.#sendOne(batch);
    }
  }

  async #sendOne(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#publish(idOf(batch), joinEntries(batch.map(({ entry }) => entry)));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#inFlight -= 1;
    this.#soon();
  }

  #batchLength(): number {
    let bytes = 0;
    let length = 0;
    for (const { entry } of this.#waiting) {
      bytes += entry.length;
      if (length === maxEntries || (length > 0 && bytes > maxBytes)) break;
      length += 1;
    }
    return length;
  }
}

/** Of several it is made of all their ids: one that is there already alone must not hide the others. */
function idOf(batch: readonly Waiting[]): string {
  const [first] = batch;
  if (first !== undefined && batch.length === 1) return first.id;
  return hash('sha256', batch.map(({ id }) => id).join('\n'));
}

const lengthBytes = 4;

/** One entry stays as it is. Of several each follows its length, whose first byte is 0; JSON never begins with that. */
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
