import { collectWhenQuiet } from './collect-when-quiet.ts';

/**
 * Returns the memory that a load has left behind to the system, once the process was quiet for a minute. V8 would do so
 * by itself, but it also collects in pauses of seconds, between the requests of an ordinary load (node-flags.mjs).
 *
 * It is all memory of the process, because the heap that V8 reports is without the free pages that V8 keeps for itself.
 */
export function returnMemoryWhenQuiet(onFailed: (error: unknown) => void, quietMs = 60_000): void {
  collectWhenQuiet({ quietMs, heldBytes: () => process.memoryUsage.rss(), onFailed, thorough: true });
}
