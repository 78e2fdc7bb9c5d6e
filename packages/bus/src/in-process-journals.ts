import { GatewayError } from '@tallyport/contracts';
import { LastIds } from './last-ids.ts';
import type { ConsumeOptions, Consumer, JournalEntry, Journals } from './link.ts';
import { waitAfter } from './wait-after.ts';

type Handler = (entries: readonly Uint8Array[]) => Promise<void>;

/** The most entries that wait for a consumer. Beyond it `append` throws, which bounds memory. */
const maxWaiting = 100_000;
const retryMs = 250;
const defaultBatch = 500;

/** Journals within one process, delivered in batches. Waiting entries are lost if the process dies. */
export function inProcessJournals(): Journals & { close(): Promise<void> } {
  const journals = new Map<string, Journal>();
  const journalOf = (subject: string): Journal => {
    const journal = journals.get(subject) ?? new Journal();
    journals.set(subject, journal);
    return journal;
  };
  return {
    mayLose: false,
    append: async (subject, entry) => journalOf(subject).append(entry),
    consume: async (subject, handler, options = {}) => journalOf(subject).consume(handler, options),
    async close() {
      for (const journal of journals.values()) await journal.stop();
    },
  };
}

class Journal {
  #waiting: Uint8Array[] = [];
  #ids = new LastIds();
  #consumer: { handler: Handler; options: ConsumeOptions } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** How long the last batch took. */
  #handledMs = 0;

  append({ id, bytes }: JournalEntry): void {
    if (this.#waiting.length >= maxWaiting) {
      throw new GatewayError('unavailable', 'The journal is full: its consumer is not running or does not keep up.');
    }
    if (!this.#ids.add(id)) return;
    this.#waiting.push(bytes);
    this.#schedule();
  }

  consume(handler: Handler, options: ConsumeOptions): Consumer {
    this.#consumer = { handler, options };
    this.#schedule(0);
    return { stop: () => this.stop() };
  }

  /** Delivers the waiting entries one last time, so that a clean shutdown loses none. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
    let delivered = true;
    while (delivered) delivered = await this.#deliver();
    this.#consumer = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(ms = waitAfter(this.#handledMs, this.#consumer?.options)): void {
    if (!this.#consumer || this.#running) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#deliverFull().finally(() => {
        this.#running = undefined;
        if (this.#waiting.length > 0) this.#schedule();
      });
    }, ms);
  }

  /** Delivers a batch, and further ones as long as they are full. */
  async #deliverFull(): Promise<void> {
    const { maxBatch = defaultBatch } = this.#consumer?.options ?? {};
    let delivered = await this.#deliver();
    while (delivered && this.#waiting.length >= maxBatch) delivered = await this.#deliver();
  }

  /** Delivers a batch. Returns whether there was one and the consumer has accepted it. */
  async #deliver(): Promise<boolean> {
    if (!this.#consumer || this.#waiting.length === 0) return false;
    const { handler, options } = this.#consumer;
    const batch = this.#waiting.slice(0, options.maxBatch ?? defaultBatch);
    const startedAt = performance.now();
    try {
      await handler(batch);
      this.#handledMs = performance.now() - startedAt;
      this.#waiting.splice(0, batch.length);
      return true;
    } catch (error) {
      options.onFailure?.(error);
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#schedule(0);
      }, retryMs);
      return false;
    }
  }
}
