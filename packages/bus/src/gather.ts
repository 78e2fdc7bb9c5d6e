/** Runs what wants to leave for the bus together, because what leaves together shares the wake-ups of three processes. */
export interface Gather {
  /** Runs `job` once at the end of this turn, with everything that waits: for what somebody waits for. */
  now(job: () => void): void;
  /** Runs `job` once with the next departure; on a busy connection it waits up to `gatherMs` for company. */
  soon(job: () => void): void;
  /** Runs everything at once. */
  flush(): void;
}

/** A connection that departed less than `gatherMs` ago is busy and waits for company; a quiet one never waits. */
export function createGather(gatherMs: number): Gather {
  let jobs = new Set<() => void>();
  let lastDeparture = -Infinity;
  let immediate: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearImmediate(immediate);
    clearTimeout(timer);
    immediate = timer = undefined;
    lastDeparture = performance.now();
    const leaving = jobs;
    jobs = new Set();
    for (const job of leaving) job();
  }

  function now(job: () => void): void {
    jobs.add(job);
    immediate ??= setImmediate(flush);
  }

  function soon(job: () => void): void {
    const isBusy = performance.now() - lastDeparture < gatherMs;
    if (!isBusy) return now(job);
    jobs.add(job);
    if (!immediate) timer ??= setTimeout(flush, gatherMs - 1);
  }

  return { now, soon, flush };
}
