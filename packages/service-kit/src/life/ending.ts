import type { Log, LogDestination } from '../log/index.ts';
import type { Lifetime } from './lifetime.ts';
import { sayStartFailure } from './start-error.ts';

export interface EndingOptions {
  readonly name: string;
  readonly log: Log;
  readonly lifetime: Lifetime;
  readonly destination: LogDestination;
  readonly timeoutMs: number;
}

/** All ways in which a process ends. The first one decides. */
export interface Ending {
  /** Signals and errors nobody caught. */
  watch(): void;
  fail(error: unknown): void;
  startFailed(error: unknown, config: object): Promise<void>;
}

/** Ctrl-C reaches the process from the terminal and again from its parent; a person needs longer to press twice. */
const sameSignalMs = 500;
/** For the last lines of the log after the parts had their time. */
const lastWordsMs = 1000;

export function createEnding(options: EndingOptions): Ending {
  const { name, log, lifetime, destination, timeoutMs } = options;
  let begunAt: number | undefined;

  function exitNow(code: number): never {
    destination.flushNow();
    process.exit(code);
  }

  async function end(code: number): Promise<void> {
    begunAt ??= performance.now();
    setTimeout(() => {
      log.error({ timeoutMs }, 'forced to end: stopping took too long');
      exitNow(1);
    }, timeoutMs + lastWordsMs);
    const clean = await lifetime.stop(timeoutMs);
    log.info({ clean, durationMs: Math.round(performance.now() - begunAt) }, 'stopped');
    await destination.close();
    exitNow(clean ? code : 1);
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (begunAt === undefined) {
      log.info({ signal }, 'stopping');
      void end(0);
    } else if (performance.now() - begunAt > sameSignalMs) {
      log.warn({ signal }, 'forced to end: told twice');
      exitNow(1);
    }
  }

  function fail(error: unknown): void {
    log.fatal({ error }, 'cannot go on');
    if (begunAt === undefined) void end(1);
  }

  return {
    watch() {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
      process.on('uncaughtException', fail);
      process.on('unhandledRejection', fail);
    },
    fail,
    async startFailed(error, config) {
      if (begunAt !== undefined) return;
      begunAt = performance.now();
      if (!sayStartFailure(name, error, config)) log.fatal({ error }, 'start failed');
      await end(1);
    },
  };
}
