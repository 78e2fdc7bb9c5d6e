import type { Writable } from 'node:stream';
import pino from 'pino';
import { within } from '../life/within.ts';
import { readable } from './readable.ts';

/** Where lines go. `close` resolves when all are written; `flushNow` is for the last moment. */
export interface LogDestination {
  write(line: string): void;
  flushNow(): void;
  close(): Promise<void>;
}

const flushAfterMs = 100;
const closeWithinMs = 1000;
const gatherBytes = 64 * 1024;
/** As much as one write takes: the system takes a gathered batch in one go. */
const writeBytes = 2 * gatherBytes;
/** More than this waits only when nobody reads stdout; then lines are dropped instead of memory filled. */
const mostBytes = 8 * 1024 * 1024;

/** JSON to a file descriptor, gathered for a moment: a write per line would cost more than the line. */
export function gatheredDestination(descriptor: number): LogDestination {
  const stream = pino.destination({
    fd: descriptor,
    sync: false,
    minLength: gatherBytes,
    maxWrite: writeBytes,
    maxLength: mostBytes,
  });
  // A log that cannot be written, on a full disk or into a closed pipe, is no reason to stop serving.
  stream.on('error', () => {});
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  // The stream measures all it holds with every write: given line by line, each line would cost as much as the batch.
  const handOver = () => {
    if (gathered === '') return;
    stream.write(gathered);
    gathered = '';
  };
  const flush = () => {
    timer = undefined;
    if (closed) return;
    handOver();
    stream.flush();
  };
  return {
    write(line) {
      if (closed) return;
      gathered += line;
      if (gathered.length >= gatherBytes) handOver();
      timer ??= setTimeout(flush, flushAfterMs).unref();
    },
    flushNow() {
      if (closed) return;
      handOver();
      stream.flushSync();
    },
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      handOver();
      const written = new Promise<void>((resolve) => stream.once('close', () => resolve()));
      stream.end();
      await within(written, closeWithinMs);
    },
  };
}

/** Short lines for a person at a terminal. */
export function terminalDestination(terminal: Writable): LogDestination {
  // A terminal that was closed must not turn every further line into another uncaught error.
  terminal.on('error', () => {});
  return { write: (line) => void terminal.write(readable(line)), flushNow() {}, close: () => Promise.resolve() };
}
