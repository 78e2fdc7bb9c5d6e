import type { Log } from '../log/index.ts';
import type { Part } from './part.ts';
import type { Phase } from './readiness.ts';
import { within } from './within.ts';

/** Parts started in order and stopped in reverse order. */
export interface Lifetime {
  phase(): Phase;
  /** All parts, started or not yet. */
  parts(): readonly Part[];
  /** Starts these after those that run. When one fails the others are left to `stop`, and its error is thrown. */
  start(parts: readonly Part[]): Promise<void>;
  /** Everything given runs; `false` when the end has begun in the meantime. */
  running(): boolean;
  /** To be stopped as if it were a part that has started. */
  adopt(part: Part): void;
  /** Stops what runs; `true` when every part ended well and in time. Further calls share the first one's result. */
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

/** A part may take what is left save a little for those after it: one that hangs must not rob the others of a clean end. */
function shareOf(leftMs: number, parts: number, timeoutMs: number): number {
  const reserveMs = Math.min(500, timeoutMs / 4 / parts) * parts;
  return Math.max(leftMs - reserveMs, 0);
}

async function stopOne(part: Part, deadlineMs: number, log: Log): Promise<boolean> {
  // The part keeps its own deadline; a little later it is left behind.
  const patienceMs = deadlineMs + Math.min(250, 10 + deadlineMs / 20);
  try {
    const stopped = await within(
      Promise.resolve(part.stop?.(deadlineMs)).then(() => true),
      patienceMs,
    );
    if (stopped !== true)
      log.error({ part: part.name, deadlineMs: Math.round(deadlineMs) }, 'part did not stop in time');
    return stopped === true;
  } catch (error) {
    log.error({ part: part.name, error }, 'part failed to stop');
    return false;
  }
}
