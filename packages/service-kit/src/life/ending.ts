import { type Log, type LogDestination, throttledLog } from '../log/index.ts';
import type { Lifetime } from './lifetime.ts';
import { sayStartFailure } from './start-error.ts';

interface EndingOptions {
  readonly name: string;
  readonly log: Log;
  readonly lifetime: Lifetime;
  readonly destination: LogDestination;
  /** The number of requests that stopping waits for. */
  readonly running: () => Promise<number>;
  readonly timeoutMs: number;
}

/** Another try may succeed, so it is no reason to end, whichever timer or event has met it. */
const isShortage = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')) || isShortage(error.cause));

/** Handles all ways in which a process can end. The first one decides. */
interface Ending {
  /** Listens for signals and uncaught errors. */
  watch(): void;
  fail(error: unknown): void;
  startFailed(error: unknown, config: object): Promise<void>;
}

/**
 * One Ctrl-C reaches the process twice, from the terminal and from its parent. A second key press takes longer than
 * this.
 */
const sameSignalMs = 500;
/** Time for the last log lines after the parts have used theirs. */
const lastLinesMs = 1000;

export function createEnding(options: EndingOptions): Ending {
  const { name, log, lifetime, destination, running, timeoutMs } = options;
  const warn = throttledLog(log);
  let begunAt: number | undefined;

  function exitNow(code: number): never {
    destination.flushNow();
    process.exit(code);
  }

  async function end(code: number): Promise<void> {
    begunAt ??= performance.now();
    setTimeout(() => {
      log.error({ timeoutMs }, 'forced exit: stopping took too long');
      exitNow(1);
    }, timeoutMs + lastLinesMs);
    const clean = await lifetime.stop(timeoutMs);
    log.info({ clean, durationMs: Math.round(performance.now() - begunAt) }, 'stopped');
    await destination.close();
    exitNow(clean ? code : 1);
  }

  async function sayWait(signal: NodeJS.Signals): Promise<void> {
    const requests = await running();
    if (requests === 0) return;
    const again = signal === 'SIGINT' ? 'Ctrl-C again' : 'a second signal';
    const limit = `at most ${timeoutMs / 1000} s`;
    log.info(`waiting for ${requests} ${requests === 1 ? 'request' : 'requests'} (${limit}); ${again} ends now`);
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (begunAt === undefined) {
      log.info({ signal }, 'stopping');
      void sayWait(signal);
      void end(0);
    } else if (performance.now() - begunAt > sameSignalMs) {
      log.warn({ signal }, 'forced exit: second signal');
      exitNow(1);
    }
  }

  function fail(error: unknown): void {
    if (isShortage(error)) {
      return warn('shortage', { error }, 'no file descriptor is free; raise the limit of open files (ulimit -n)');
    }
    log.fatal({ error }, 'fatal error, stopping');
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
