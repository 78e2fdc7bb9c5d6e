/** A fair queue: each name has one turn at a time, and the names alternate. */
export interface FairTurns {
  /**
   * Resolves with a function that ends the turn; call it once. Resolves with `undefined` when too many callers of the
   * name wait, or when the wait takes too long.
   */
  wait(name: string): Promise<(() => void) | undefined>;
}

export interface FairTurnsOptions {
  /** Simultaneous turns of all names together. */
  atOnce: number;
  /** The most callers that may wait per name. */
  maxWaiting: number;
  waitMs: number;
}

type Waiting = () => void;

export function createFairTurns({ atOnce, maxWaiting, waitMs }: FairTurnsOptions): FairTurns {
  /** Only names with a current or waiting turn. */
  const queues = new Map<string, Set<Waiting>>();
  const ready = new Set<string>();
  let running = 0;

  function next(): void {
    for (const name of ready) {
      if (running >= atOnce) return;
      ready.delete(name);
      const [first] = queues.get(name) ?? [];
      first?.();
    }
  }

  function end(name: string, queue: Set<Waiting>): void {
    running -= 1;
    if (queue.size > 0) ready.add(name);
    else queues.delete(name);
    next();
  }

  return {
    wait(name) {
      const queue = queues.get(name) ?? new Set();
      if (queue.size >= maxWaiting) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const start = (): void => {
          clearTimeout(late);
          queue.delete(start);
          running += 1;
          resolve(() => end(name, queue));
        };
        const late = setTimeout(() => {
          queue.delete(start);
          if (queue.size === 0 && ready.delete(name)) queues.delete(name);
          resolve(undefined);
        }, waitMs);
        queue.add(start);
        if (queues.get(name) === queue) return;
        queues.set(name, queue);
        ready.add(name);
        next();
      });
    },
  };
}
