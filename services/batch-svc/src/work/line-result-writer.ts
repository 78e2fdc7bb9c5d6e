import type { LineResult } from './run-line.ts';

/** Stores results in groups, one after another. */
export interface LineResultWriter {
  add(result: LineResult): void;
  /** How many were stored. Rejects if some could not be. */
  close(): Promise<number>;
}

interface WriterOptions {
  store(results: readonly LineResult[]): Promise<void>;
  /** Called once, when results cannot be stored. */
  onFailed(error: unknown): void;
}

const gatherMs = 50;
const mostTogether = 100;
const mostBytes = 8 * 1024 ** 2;

/** A group has what has ended within a moment: a transaction for each line would cost more than the line. */
export function createLineResultWriter({ store, onFailed }: WriterOptions): LineResultWriter {
  let waiting: LineResult[] = [];
  let timer: NodeJS.Timeout | undefined;
  let stored = 0;
  let writing: Promise<void> = Promise.resolve();
  let isBroken = false;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const results = waiting;
    waiting = [];
    if (results.length === 0) return;
    writing = writing.then(async () => {
      await store(results);
      stored += results.length;
    });
    writing.catch((error: unknown) => {
      if (isBroken) return;
      isBroken = true;
      onFailed(error);
    });
  }

  return {
    add(result) {
      waiting.push(result);
      const bytes = waiting.reduce((sum, { body }) => sum + body.length, 0);
      if (waiting.length >= mostTogether || bytes >= mostBytes) return flush();
      timer ??= setTimeout(flush, gatherMs);
    },
    async close() {
      flush();
      await writing;
      return stored;
    },
  };
}
