/** A fair queue: each name has so many turns at a time, and the names alternate. */
export interface FairTurns {
  /**
   * Resolves with a function that ends the turn; call it once. Resolves with `undefined` when too many callers of the
   * name wait, or when the wait takes too long.
   */
  wait(name: string): Promise<(() => void) | undefined>;
}

interface FairTurnsOptions {
  /** Simultaneous turns of all names together. */
  atOnce: number;
  /** Simultaneous turns of one name. */
  eachAtOnce?: number;
  /** The most callers that may wait per name. */
  maxWaiting: number;
  waitMs: number;
}

interface Queue {
  running: number;
  waiting: Set<() => void>;
}

export function createFairTurns({ atOnce, eachAtOnce = 1, maxWaiting, waitMs }: FairTurnsOptions): FairTurns {
  /** Only names with a current or waiting turn. */
  const queues = new Map<string, Queue>();
  /** Names that wait and may have another turn, in the order of their turns. */
  const ready = new Set<string>();
  let running = 0;

  function next(): void {
    for (const name of ready) {
      if (running >= atOnce) return;
      ready.delete(name);
      const [first] = queues.get(name)?.waiting ?? [];
      first?.();
      makeReady(name);
    }
  }

  /** After the names that are ready already. */
  function makeReady(name: string): void {
    const queue = queues.get(name);
    if (queue === undefined) return;
    if (queue.waiting.size > 0 && queue.running < eachAtOnce) ready.add(name);
    else ready.delete(name);
    if (queue.waiting.size === 0 && queue.running === 0) queues.delete(name);
  }

  function start(name: string, queue: Queue): () => void {
    running += 1;
    queue.running += 1;
    return () => {
      running -= 1;
      queue.running -= 1;
      makeReady(name);
      next();
    };
  }

  return {
    wait(name) {
      const queue = queues.get(name) ?? { running: 0, waiting: new Set() };
      if (queue.waiting.size >= maxWaiting) return Promise.resolve(undefined);
      queues.set(name, queue);
      return new Promise((resolve) => {
        const begin = (): void => {
          clearTimeout(late);
          queue.waiting.delete(begin);
          resolve(start(name, queue));
        };
        const late = setTimeout(() => {
          queue.waiting.delete(begin);
          resolve(undefined);
          makeReady(name);
        }, waitMs);
        queue.waiting.add(begin);
        makeReady(name);
        next();
      });
    },
  };
}
