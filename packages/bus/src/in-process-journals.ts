import { GatewayError } from '@switchyard/contracts';
import { LastIds } from './last-ids.ts';
import type { ConsumeOptions, Consumer, JournalEntry, Journals } from './link.ts';

type Handler = (entries: readonly Uint8Array[]) => Promise<void>;

/** The most entries that wait for a consumer. Beyond it `append` throws, which bounds memory. */
const maxWaiting = 100_000;
const retryMs = 250;

/** Journals within one process, delivered in batches. Waiting entries are lost if the process dies. */
export function inProcessJournals(): Journals & { close(): Promise<void> } {
  const journals = new Map<string, Journal>();
  const journalOf = (subject: string): Journal => {
    const journal = journals.get(subject) ?? new Journal();
    journals.set(subject, journal);
    return journal;
  };
  return {
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

  append({ id, bytes }: JournalEntry): void {
    if (this.#waiting.length >= maxWaiting) {
      throw new GatewayError('unavailable', 'The journal is full: its consumer is not running or does not keep up.');
    }
    if (!this.#ids.add(id)) return;
    this.#waiting.push(bytes);
    this.#schedule(this.#consumer?.options.gatherMs ?? 0);
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
    if (this.#waiting.length > 0) await this.#deliver();
    this.#consumer = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(ms: number): void {
    if (!this.#consumer || this.#running) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#deliver().finally(() => {
        this.#running = undefined;
      });
    }, ms);
  }

  async #deliver(): Promise<void> {
    while (this.#consumer && this.#waiting.length > 0) {
      const { handler, options } = this.#consumer;
      const batch = this.#waiting.slice(0, options.maxBatch ?? 500);
      try {
        await handler(batch);
        this.#waiting.splice(0, batch.length);
      } catch (error) {
        options.onFailure?.(error);
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#schedule(0);
        }, retryMs);
        return;
      }
    }
  }
}
