import { type Database, isUnavailable } from '@tallyport/database';
import { type OverrideRow, readOverrides } from './stored-overrides.ts';

interface OverridesCopyOptions {
  database: Database;
  /** May use the database: if that fails, it is called again after the next read. */
  onRead(rows: readonly OverrideRow[]): Promise<void>;
  /** Called when they cannot be read; the last rows are kept, and it is retried. */
  onUnavailable(error: unknown): void;
  /** Called when the schema cannot be prepared, which a retry would not fix. */
  onFailed(error: unknown): void;
}

export interface OverridesCopy {
  rows(): readonly OverrideRow[];
  /** Whether the schema is up to date, so that overrides can be read and written. */
  prepared(): boolean;
  /** Reads the overrides; each call waits for a read that starts after it. Never throws. */
  refresh(): Promise<void>;
  stop(): void;
}

/** How soon a change made directly in the database is noticed. */
const everyMs = 5_000;
const awayMs = 1_000;

/** This replica's copy of the overrides, read after each announced change and periodically. */
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
      if (!stopped) await options.onRead(rows);
      return everyMs;
    } catch (error) {
      if (stopped) return everyMs;
      if (prepared || isUnavailable(error)) options.onUnavailable(error);
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
