import type { Writable } from 'node:stream';
import pino from 'pino';
import { within } from '../within.ts';
import { readable } from './readable.ts';

/** Writes log lines. `close` resolves when all are written; `flushNow` writes synchronously, for use before an exit. */
export interface LogDestination {
  write(line: string): void;
  flushNow(): void;
  close(): Promise<void>;
}

const flushAfterMs = 100;
const closeWithinMs = 1000;
const gatherBytes = 64 * 1024;
/** The most bytes per write, so that a gathered batch is one write. */
const writeBytes = 2 * gatherBytes;
/** More than this waits only if stdout is not read. Then lines are dropped, so that memory does not fill up. */
const mostBytes = 8 * 1024 * 1024;

/** Writes JSON to a file descriptor in batches, because a write per line would cost more than the line. */
export function gatheredDestination(descriptor: number): LogDestination {
  const stream = pino.destination({
    fd: descriptor,
    sync: false,
    minLength: gatherBytes,
    maxWrite: writeBytes,
    maxLength: mostBytes,
  });
  // A full disk or a closed pipe must not stop the service.
  stream.on('error', () => {});
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  // `flush` does nothing during a write, and what is left after it would wait for the next line.
  let unwrittenBytes = 0;
  stream.on('drop', (text) => (unwrittenBytes -= Buffer.byteLength(text)));
  stream.on('write', (bytes) => (unwrittenBytes = bytes === 0 ? 0 : Math.max(0, unwrittenBytes - bytes)));
  const flushRest = () => {
    if (!closed && unwrittenBytes > 0) stream.flush();
  };
  stream.on('drain', flushRest);
  // With every write the stream measures everything it holds: line by line, each line would cost as much as the batch.
  const writeBatch = () => {
    if (gathered === '') return;
    unwrittenBytes += Buffer.byteLength(gathered);
    stream.write(gathered);
    gathered = '';
  };
  const flush = () => {
    timer = undefined;
    if (closed) return;
    writeBatch();
    flushRest();
  };
  return {
    write(line) {
      if (closed) return;
      gathered += line;
      if (gathered.length >= gatherBytes) writeBatch();
      timer ??= setTimeout(flush, flushAfterMs).unref();
    },
    flushNow() {
      if (closed) return;
      writeBatch();
      stream.flushSync();
      unwrittenBytes = 0;
    },
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      writeBatch();
      const written = new Promise<void>((resolve) => stream.once('close', () => resolve()));
      stream.end();
      await within(written, closeWithinMs);
    },
  };
}

/** Short lines for a person at a terminal. */
export function terminalDestination(terminal: Writable): LogDestination {
  // Without a handler, every line to a closed terminal would be an uncaught error.
  terminal.on('error', () => {});
  return { write: (line) => void terminal.write(readable(line)), flushNow() {}, close: () => Promise.resolve() };
}
