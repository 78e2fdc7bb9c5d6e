import { createPace } from './pace.ts';
import { createPause } from './pause.ts';

/** Work at the end of a turn of the event loop, for example of a sender that has frames to send. */
export interface GatheredJob {
  /** Set while it is queued. */
  isQueued: boolean;
  run(): void;
}

/** Batches sends to the bus: frames sent together share the wake-ups of three processes. */
export interface Gather {
  /** Runs `job` once at the end of this turn of the event loop, together with all other queued jobs. */
  soon(job: GatheredJob): void;
  /**
   * The same, for a further piece of a stream. Only these count as load: the start of a stream and whole bodies never
   * wait.
   */
  piece(job: GatheredJob): void;
  /** A request begins: connecting to a provider, sending and the first bytes follow each other, and each would wait. */
  begin(): void;
  /** Runs all queued jobs now. */
  flush(): void;
}

/** The same for streams within this process: nothing is joined by waiting. */
export const withoutRest = (gather: Gather): Gather => ({ ...gather, piece: gather.soon });

/** If fewer pieces than this arrive within `gatherMs`, waiting is not worth it. */
const minPieces = 4;
/** A near provider sends the first bytes within this time. */
const beginMs = 10;

/**
 * A model produces tokens slowly enough that every piece of a stream arrives by itself, and waking up for it costs
 * several times as much as handling it. So when many pieces arrive within `gatherMs`, the thread sleeps for the rest of
 * that time after each send; the pieces that arrive meanwhile are read and sent together. A connection with little load
 * never waits, and neither does one on which a request has just begun.
 */
export function createGather(gatherMs: number, pause = createPause()): Gather {
  let jobs: GatheredJob[] = [];
  let immediate: NodeJS.Immediate | undefined;
  const pieces = createPace();
  let restedAt = 0;
  let awakeUntil = 0;

  function flush(): void {
    clearImmediate(immediate);
    immediate = undefined;
    const queued = jobs;
    jobs = [];
    for (const job of queued) {
      job.isQueued = false;
      job.run();
    }
    // Queued after the microtask in which the connection writes.
    if (gatherMs > 0 && pieces.perMs() * gatherMs >= minPieces) queueMicrotask(rest);
  }

  /** Does not sleep when the turn itself took longer than `gatherMs`. */
  function rest(): void {
    const now = performance.now();
    if (now < awakeUntil) return;
    pause(restedAt + gatherMs - now);
    restedAt = performance.now();
  }

  function soon(job: GatheredJob): void {
    if (job.isQueued) return;
    job.isQueued = true;
    jobs.push(job);
    immediate ??= setImmediate(flush);
  }

  return {
    soon,
    piece(job) {
      pieces.count();
      soon(job);
    },
    begin: () => void (awakeUntil = performance.now() + beginMs),
    flush,
  };
}
