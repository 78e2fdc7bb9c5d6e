import { performance } from 'node:perf_hooks';
import { repeat } from './repeat.ts';

/** A process is quiet while its event loop is busy for less than this share of the time. */
const quietShare = 0.02;
/** A collection blocks the process for about 50 ms, and a thorough one for up to a third of a second. */
const worthBytes = 32 * 1024 ** 2;
/** V8 frees buffers on another thread. Much later, a new load would count as what the collection left. */
const freedWithinMs = 1_000;

interface QuietCollection {
  /** How long the process must have been quiet. */
  quietMs: number;
  /** The memory that is to be freed. */
  heldBytes(): number;
  /** Called when the memory cannot be read, as without a free file descriptor. It is tried again later. */
  onFailed(error: unknown): void;
  /** Collects until nothing is left, and returns free memory to the system. */
  thorough?: boolean;
}

/** Collects garbage once the process is quiet and holds much more than the last collection has left. */
export function collectWhenQuiet({ quietMs, heldBytes, onFailed, thorough = false }: QuietCollection): void {
  let checkedAt = performance.eventLoopUtilization();
  /** What the last collection left, or less if there was less since. */
  let left = heldBytes();
  const check = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, checkedAt);
    checkedAt = now;
    const bytes = heldBytes();
    left = Math.min(left, bytes);
    if (utilization > quietShare || bytes - left < worthBytes) return;
    globalThis.gc?.({ type: 'major', execution: 'sync', ...(thorough && { flavor: 'last-resort' }) });
    setTimeout(
      caught(() => (left = heldBytes()), onFailed),
      Math.min(quietMs / 5, freedWithinMs),
    ).unref();
  };
  repeat({ everyMs: quietMs, onFailed }, check);
}

/** What a timer throws would end the process. */
const caught = (work: () => void, onFailed: (error: unknown) => void) => (): void => {
  try {
    work();
  } catch (error) {
    onFailed(error);
  }
};
