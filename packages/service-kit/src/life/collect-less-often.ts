import { setFlagsFromString } from 'node:v8';
import { collectWhenQuiet } from './collect-when-quiet.ts';

/**
 * For a service that passes large bodies on: V8 collects garbage when heap and buffers together have about doubled since
 * the last time, or come near the memory limit of the container. By default V8 collects after every 64 MB of buffers,
 * however much is in use: with answers of 12 MB that was half of chat-svc's CPU. What a burst left behind is collected
 * once the process is quiet.
 */
export function collectLessOften(quietMs = 5_000): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString('--heap-growing-percent=100');
  collectWhenQuiet({ quietMs, heldBytes: () => process.memoryUsage().arrayBuffers, onFailed });
}

/** Called before there is a log. `returnMemoryWhenQuiet`, which fails for the same reasons, reports it. */
const onFailed = (): void => {};
