import { watchQuiet } from './quiet.ts';

/** A collection blocks the process for about 50 ms, so it must be worth it. */
const worthBytes = 32 * 1024 ** 2;

const bufferBytes = (): number => process.memoryUsage().arrayBuffers;

/** Collects the buffers that a burst of large bodies left behind. V8 keeps them until new ones are allocated. */
export function collectWhenQuiet(checkMs: number): void {
  const wasQuiet = watchQuiet();
  /** What the last collection left, or less if there was less since. */
  let left = 0;
  const check = (): void => {
    const isQuiet = wasQuiet();
    const bytes = bufferBytes();
    left = Math.min(left, bytes);
    if (!isQuiet || bytes - left < worthBytes) return;
    globalThis.gc?.({ type: 'major', execution: 'sync' });
    // V8 frees the buffers on another thread, a moment later.
    setTimeout(() => (left = bufferBytes()), checkMs / 5).unref();
  };
  setInterval(check, checkMs).unref();
}
