/** Runs tasks a while after they were requested, each name once however often it was requested meanwhile. */
interface Settled {
  soon(name: string, task: () => void): void;
  stop(): void;
}

interface Waiting {
  timer: NodeJS.Timeout;
  /** Requested again while it waited: it runs once more, so that each request is followed by a whole wait. */
  again: (() => void) | undefined;
}

export function settled(ms: number): Settled {
  const waiting = new Map<string, Waiting>();

  function soon(name: string, task: () => void): void {
    const known = waiting.get(name);
    if (known !== undefined) {
      known.again = task;
      return;
    }
    waiting.set(name, { again: undefined, timer: setTimeout(() => run(name, task), ms) });
  }

  function run(name: string, task: () => void): void {
    const again = waiting.get(name)?.again;
    waiting.delete(name);
    task();
    if (again !== undefined) soon(name, again);
  }

  return {
    soon,
    stop() {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
