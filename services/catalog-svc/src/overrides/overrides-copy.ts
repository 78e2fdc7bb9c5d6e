import { type Database, isUnavailable } from '@switchyard/database';
import { type OverrideRow, readOverrides } from './stored-overrides.ts';

export interface OverridesCopyOptions {
  database: Database;
  onRead(rows: readonly OverrideRow[]): void;
  /** The database is away: the last rows stay, and it is tried again. */
  onAway(error: unknown): void;
  /** What waiting does not mend. */
  onFailed(error: unknown): void;
}

export interface OverridesCopy {
  rows(): readonly OverrideRow[];
  /** The schema is up to date: overrides can be read and written. */
  prepared(): boolean;
  /** Reads them now; whoever asks meanwhile gets a reading that begins after. Never throws. */
  refresh(): Promise<void>;
  stop(): void;
}

/** A change made on the database itself, without the bus, is noticed by this. */
const everyMs = 5_000;
const awayMs = 1_000;

/** This replica's copy of the overrides: read when told of a change, and now and then in case nobody told. */
export function createOverridesCopy(options: OverridesCopyOptions): OverridesCopy {
  const { database } = options;
  let rows: readonly OverrideRow[] = [];
  let prepared = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  async function read(): Promise<number> {
    try {
      if (!prepared) await database.migrate();
      prepared = true;
      rows = await readOverrides(database);
      if (!stopped) options.onRead(rows);
      return everyMs;
    } catch (error) {
      if (stopped) return everyMs;
      if (isUnavailable(error)) options.onAway(error);
      else options.onFailed(error);
      return awayMs;
    }
  }

  async function readAndPlan(): Promise<void> {
    clearTimeout(timer);
    if (stopped) return;
    const waitMs = await read();
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void refresh(), waitMs);
  }

  function refresh(): Promise<void> {
    running = running.then(readAndPlan);
    return running;
  }

  return {
    rows: () => rows,
    prepared: () => prepared,
    refresh,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
