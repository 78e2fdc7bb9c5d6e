import type { Log } from '../log/index.ts';
import type { Part } from '../parts/part.ts';
import type { Phase } from '../parts/readiness.ts';
import { within } from '../within.ts';

/** Starts parts in order and stops them in reverse order. */
export interface Lifetime {
  phase(): Phase;
  /** All parts, started or not yet. */
  parts(): readonly Part[];
  /** Starts further parts. If one fails, rejects with its error; parts that have started run until `stop`. */
  start(parts: readonly Part[]): Promise<void>;
  /** Marks the start as complete. Returns `false` if stopping has begun in the meantime. */
  running(): boolean;
  /** Adds a part that is already running and must be stopped with the others. */
  adopt(part: Part): void;
  /**
   * Stops all running parts. Resolves to `true` if each stopped without an error and in time. Further calls share the
   * result.
   */
  stop(timeoutMs: number): Promise<boolean>;
}

export function createLifetime(log: Log): Lifetime {
  const all: Part[] = [];
  const started: Part[] = [];
  let phase: Phase = 'starting';
  let starting: Promise<void> = Promise.resolve();
  let stopping: Promise<boolean> | undefined;

  async function startEach(parts: readonly Part[]): Promise<void> {
    for (const part of parts) {
      if (phase === 'stopping') return;
      await part.start?.();
      started.push(part);
    }
  }

  async function stopAll(timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    // A part that is just starting is stopped too, once it has started.
    await within(starting, timeoutMs / 2).catch(() => {});
    let clean = true;
    for (let part = started.pop(); part !== undefined; part = started.pop()) {
      const deadlineMs = shareOf(end - performance.now(), started.length + 1, timeoutMs);
      clean = (await stopOne(part, deadlineMs, log)) && clean;
    }
    return clean;
  }

  return {
    phase: () => phase,
    parts: () => all,
    start(parts) {
      all.push(...parts);
      starting = startEach(parts);
      return starting;
    },
    running() {
      if (phase === 'starting') phase = 'running';
      return phase === 'running';
    },
    adopt: (part) => void started.push(part),
    stop(timeoutMs) {
      phase = 'stopping';
      stopping ??= stopAll(timeoutMs);
      return stopping;
    },
  };
}

/**
 * A part may take the remaining time except a reserve for the parts after it, so that a hung part leaves them a clean
 * end.
 */
function shareOf(leftMs: number, parts: number, timeoutMs: number): number {
  const reserveMs = Math.min(500, timeoutMs / 4 / parts) * parts;
  return Math.max(leftMs - reserveMs, 0);
}

async function stopOne(part: Part, deadlineMs: number, log: Log): Promise<boolean> {
  // The part should meet the deadline itself. A little later it is abandoned.
  const limitMs = deadlineMs + Math.min(250, 10 + deadlineMs / 20);
  try {
    const stopped = await within(
      Promise.resolve(part.stop?.(deadlineMs)).then(() => true),
      limitMs,
    );
    if (stopped !== true)
      log.error({ part: part.name, deadlineMs: Math.round(deadlineMs) }, 'part did not stop in time');
    return stopped === true;
  } catch (error) {
    log.error({ part: part.name, error }, 'part failed to stop');
    return false;
  }
}
