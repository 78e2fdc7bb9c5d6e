import { setTimeout as pause } from 'node:timers/promises';
import type { KeptContent } from '@tallyport/contracts';
import { within } from '@tallyport/service-kit';
import type { ContentEvents } from './content-events.ts';

/** A gathered content and the memory it holds. */
export interface WaitingContent {
  content: KeptContent;
  bytes: number;
  release(): void;
}

interface ContentSender {
  add(waiting: WaitingContent): void;
  /** Sends what waits, for at most this long; the rest is dropped. */
  stop(deadlineMs: number): Promise<void>;
}

interface ContentSenderOptions {
  store(contents: KeptContent[], signal: AbortSignal): Promise<unknown>;
  events: ContentEvents;
  retryMs?: number;
  /** How often a batch is tried before it is dropped. */
  tries?: number;
}

const maxBatch = 100;
/** Of one batch. A single content may be larger, and JSON may be several times as long. */
const maxBatchBytes = 1024 * 1024;

/** Sends contents to be stored, one batch at a time. No request waits for that. */
export function createContentSender({
  store,
  events,
  retryMs = 1_000,
  tries = 10,
}: ContentSenderOptions): ContentSender {
  const waiting: WaitingContent[] = [];
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function send(batch: readonly WaitingContent[]): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      try {
        stopping.signal.throwIfAborted();
        await store(
          batch.map(({ content }) => content),
          stopping.signal,
        );
        return events.stored(batch.length);
      } catch (error) {
        if (stopping.signal.aborted || tried === tries) return events.dropped('unavailable', batch.length, error);
        await pause(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchLength(waiting));
      await send(batch);
      for (const { release } of batch) release();
    }
    running = undefined;
  }

  return {
    add(content) {
      waiting.push(content);
      running ??= run();
    },
    async stop(deadlineMs) {
      await within(running ?? Promise.resolve(), deadlineMs);
      stopping.abort();
      await running;
    },
  };
}

function batchLength(waiting: readonly WaitingContent[]): number {
  let bytes = 0;
  const end = waiting.findIndex((content, at) => {
    bytes += content.bytes;
    return at > 0 && (at === maxBatch || bytes > maxBatchBytes);
  });
  return end < 0 ? waiting.length : end;
}
