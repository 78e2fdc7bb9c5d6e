/** Runs what wants to leave for the bus: together at the end of this turn, or within `gatherMs` on a busy connection. */
export interface Gather {
  /** Runs `job` at the next departure, once, however often it is asked. */
  soon(job: () => void): void;
  /** Runs everything now. */
  flush(): void;
}

/**
 * Writes that leave together share the wake-ups of three processes, which is what a paced stream costs. A connection that
 * departed less than `gatherMs` ago is busy and waits for company; a quiet one never waits.
 */
export function createGather(gatherMs: number): Gather {
  let jobs = new Set<() => void>();
  let scheduled = false;
  let lastDeparture = 0;

  function flush(): void {
    scheduled = false;
    lastDeparture = performance.now();
    const leaving = jobs;
    jobs = new Set();
    for (const job of leaving) job();
  }

  function schedule(): void {
    scheduled = true;
    const quiet = gatherMs === 0 || performance.now() - lastDeparture >= gatherMs;
    if (quiet) setImmediate(flush);
    else setTimeout(flush, gatherMs - 1);
  }

  return {
    soon(job) {
      jobs.add(job);
      if (!scheduled) schedule();
    },
    flush,
  };
}
