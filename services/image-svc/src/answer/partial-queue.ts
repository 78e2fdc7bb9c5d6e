import type { PartialImage } from '@tallyport/dispatch';

/** Partial images between the dispatch, which does not wait, and the client. A vendor sends at most three per image. */
interface PartialQueue {
  push(partial: PartialImage): void;
  /** No more will be pushed. */
  end(): void;
  /** Ends after the last one. Supports one reader. */
  read(): AsyncGenerator<PartialImage>;
}

export function createPartialQueue(): PartialQueue {
  const queued: PartialImage[] = [];
  let ended = false;
  let change = Promise.withResolvers<void>();
  return {
    push(partial) {
      queued.push(partial);
      change.resolve();
    },
    end() {
      ended = true;
      change.resolve();
    },
    async *read() {
      for (;;) {
        for (let next = queued.shift(); next !== undefined; next = queued.shift()) yield next;
        if (ended) return;
        await change.promise;
        change = Promise.withResolvers();
      }
    },
  };
}
