/** A semaphore: limits how many tasks run at once. The others wait in order, each until its signal aborts. */
export interface Gate {
  /** Rejects with the signal's reason if it aborts before the task starts. */
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

  /** Hands the place to the next waiting task, if there is one. */
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
