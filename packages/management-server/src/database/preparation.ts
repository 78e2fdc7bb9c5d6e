import { type Database, isUnavailable } from '@tallyport/database';
import type { CheckResult } from '@tallyport/service-kit';
import { databaseAway, orUnavailable } from './database-away.ts';

export interface Preparation {
  /**
   * Tries once. Resolves with whether the preparation is complete; a retry is scheduled if the database is not
   * reachable. Throws for errors that a retry does not fix.
   */
  start(): Promise<boolean>;
  /** Throws `unavailable` until the database is prepared. */
  ready(): void;
  isReady(): boolean;
  /** Wraps work so that it throws `unavailable` until the database is prepared, and while it is not reachable. */
  whenReady: WhenReady;
  /** For the health of the process. */
  check(): Promise<CheckResult>;
  stop(): void;
}

export type WhenReady = <Input, Output>(work: (input: Input) => Promise<Output>) => (input: Input) => Promise<Output>;

interface PreparationOptions {
  database: Database;
  /** Runs once the database is reachable; again from its beginning if it was lost meanwhile. */
  prepare(): Promise<void>;
  /** Called when the database is not reachable; it is tried again. */
  onAwaited: (error: unknown) => void;
  /** Called when a retry fails for a reason that waiting does not fix. */
  onFailed: (error: unknown) => void;
}

const firstWaitMs = 250;
const longestWaitMs = 5_000;

/** Slightly less than callers wait. */
export const checkMs = 1_500;

/** Prepares the database for a service: at the start, or as soon as it is reachable. */
export function createPreparation({ database, prepare, onAwaited, onFailed }: PreparationOptions): Preparation {
  let done = false;
  let stopped = false;
  let waitMs = firstWaitMs;
  let timer: NodeJS.Timeout | undefined;

  async function start(): Promise<boolean> {
    try {
      await prepare();
      done = true;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (stopped) return false;
      onAwaited(error);
      timer = setTimeout(() => void start().catch(onFailed), waitMs);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
    return done;
  }

  function ready(): void {
    if (!done) throw databaseAway();
  }

  return {
    start,
    ready,
    isReady: () => done,
    whenReady: (work) => async (input) => {
      ready();
      return orUnavailable(work)(input);
    },
    async check() {
      const { connected, error } = await database.check(checkMs);
      if (!connected) return { ok: false, message: `The database is not reachable: ${error}` };
      return done ? { ok: true } : { ok: false, message: 'The database is being prepared.' };
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
