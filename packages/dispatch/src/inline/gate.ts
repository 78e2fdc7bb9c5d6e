/** Lets so many tasks in at a time; the others wait in order, each until its signal ends its patience. */
export interface Gate {
  /** Rejects with the signal's reason when it aborts before the turn has come. */
  run<Value>(task: () => Promise<Value>, signal: AbortSignal): Promise<Value>;
}

export function createGate(places: number): Gate {
  let free = places;
  const waiting = new Set<() => void>();

  const enter = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const turn = () => {
        waiting.delete(turn);
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(turn);
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(turn);
    });

  /** The place goes straight to the next in line, if there is one. */
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };

  return {
    async run(task, signal) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await enter(signal);
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}
