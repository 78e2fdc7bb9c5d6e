import { watchQuiet } from './quiet.ts';

/** A collection that returns memory blocks the process for up to a third of a second, so it must be worth it. */
const worthBytes = 32 * 1024 ** 2;

const heapBytes = (): number => process.memoryUsage().heapTotal;

/**
 * Returns the heap that a load has left behind to the system, once the process was quiet for a minute. V8 would do so
 * by itself, but it also collects in pauses of seconds, between the requests of an ordinary load (node-flags.mjs).
 */
export function returnMemoryWhenQuiet(checkMs = 60_000): void {
  const wasQuiet = watchQuiet();
  /** What the last collection left, or less if there was less since. */
  let left = heapBytes();
  const check = (): void => {
    const isQuiet = wasQuiet();
    left = Math.min(left, heapBytes());
    if (!isQuiet || heapBytes() - left < worthBytes) return;
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    left = heapBytes();
  };
  setInterval(check, checkMs).unref();
}
