import { createPace } from './pace.ts';
import { createPause } from './pause.ts';

/** Runs what wants to leave for the bus together, because what leaves together shares the wake-ups of three processes. */
export interface Gather {
  /** Runs `job` once at the end of this turn, with everything else that waits. */
  soon(job: () => void): void;
  /** The same, for a further piece of a stream. Only these make a connection busy: what begins or is whole never waits. */
  piece(job: () => void): void;
  /** Runs everything at once. */
  flush(): void;
}

/** Fewer pieces than these within the wait are not worth waiting for. */
const leastCompany = 4;

/**
 * At a model's pace every piece of a stream arrives by itself, and waking up for it costs several times what handling it
 * does. So when many pieces come within `gatherMs`, this thread rests for what is left of it after each departure:
 * the pieces that arrive meanwhile are read, and leave, together. A connection with little to do never waits.
 */
export function createGather(gatherMs: number, pause = createPause()): Gather {
  let jobs = new Set<() => void>();
  let immediate: NodeJS.Immediate | undefined;
  const pieces = createPace();
  let restedAt = 0;

  function flush(): void {
    clearImmediate(immediate);
    immediate = undefined;
    const leaving = jobs;
    jobs = new Set();
    for (const job of leaving) job();
    // After the microtask in which the connection writes.
    if (gatherMs > 0 && pieces.perMs() * gatherMs >= leastCompany) queueMicrotask(rest);
  }

  /** A turn that took longer than the wait gathered by itself. */
  function rest(): void {
    pause(restedAt + gatherMs - performance.now());
    restedAt = performance.now();
  }

  function soon(job: () => void): void {
    jobs.add(job);
    immediate ??= setImmediate(flush);
  }

  return {
    soon,
    piece(job) {
      pieces.count();
      soon(job);
    },
    flush,
  };
}
