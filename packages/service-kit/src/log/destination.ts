import type { Writable } from 'node:stream';
import pino from 'pino';
import { readable } from './readable.ts';

/** Where lines go. `close` resolves when all are written; `flushNow` is for the last moment. */
export interface LogDestination {
  write(line: string): void;
  flushNow(): void;
  close(): Promise<void>;
}

const flushAfterMs = 50;
const gatherBytes = 8 * 1024;
/** More than this waits only when nobody reads stdout; then lines are dropped instead of memory filled. */
const mostBytes = 8 * 1024 * 1024;

/** JSON to a file descriptor, gathered for a moment: a write per line would cost more than the line. */
export function gatheredDestination(descriptor: number): LogDestination {
  const stream = pino.destination({ fd: descriptor, sync: false, minLength: gatherBytes, maxLength: mostBytes });
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    stream.flush();
  };
  return {
    write(line) {
      stream.write(line);
      timer ??= setTimeout(flush, flushAfterMs).unref();
    },
    flushNow() {
      clearTimeout(timer);
      timer = undefined;
      stream.flushSync();
    },
    close: () => new Promise((resolve) => closeWithin(stream, resolve)),
  };
}

/** Short lines for a person at a terminal. */
export function terminalDestination(terminal: Writable): LogDestination {
  // A terminal that was closed must not turn every further line into another uncaught error.
  terminal.on('error', () => {});
  return { write: (line) => void terminal.write(readable(line)), flushNow() {}, close: () => Promise.resolve() };
}

function closeWithin(stream: ReturnType<typeof pino.destination>, done: () => void): void {
  const timer = setTimeout(done, 1000);
  stream.flush(() => {
    clearTimeout(timer);
    done();
  });
}
