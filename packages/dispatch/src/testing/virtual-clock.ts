import { vi } from 'vitest';

/** Time that passes only when it is advanced, for replays of hours in seconds. Timers of the code under test follow it. */
export interface VirtualClock {
  /** Milliseconds since the start. */
  now(): number;
  /** Resolves once the time has come. */
  sleep(ms: number): Promise<void>;
  /** Advances to a time, and wakes all sleepers until then in the order of their times. */
  advanceTo(atMs: number): Promise<void>;
  close(): void;
}

interface Sleeper {
  atMs: number;
  wake(): void;
}

const realImmediate = setImmediate;
/** Resolves once the code that was woken waits again. */
const settled = () => new Promise<void>((resolve) => void realImmediate(resolve));

/** Sleepers are kept apart from the fake timers, whose asynchronous steps take a millisecond each. */
export function startVirtualClock(): VirtualClock {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const startedAt = performance.now();
  const now = () => performance.now() - startedAt;
  /** By time, the latest first. */
  const sleepers: Sleeper[] = [];
  const advance = (atMs: number) => vi.advanceTimersByTime(Math.max(0, atMs - now()));
  return {
    now,
    sleep: (ms) =>
      new Promise((wake) => {
        const atMs = now() + ms;
        const place = sleepers.findLastIndex((other) => other.atMs > atMs) + 1;
        sleepers.splice(place, 0, { atMs, wake });
      }),
    async advanceTo(atMs) {
      for (let next = sleepers.at(-1); next !== undefined && next.atMs <= atMs; next = sleepers.at(-1)) {
        sleepers.pop();
        advance(next.atMs);
        next.wake();
        await settled();
      }
      advance(atMs);
      await settled();
    },
    close: () => void vi.useRealTimers(),
  };
}
