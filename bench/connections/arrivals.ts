import { setTimeout as pause } from 'node:timers/promises';

interface Arrivals {
  perSecond: number;
  forMs: number;
}

/** Calls `act` so many times a second, with pauses between a half and one and a half times their mean; then waits for all. */
export async function arrive({ perSecond, forMs }: Arrivals, act: () => Promise<void>): Promise<void> {
  const running: Promise<void>[] = [];
  const endsAt = performance.now() + forMs;
  for (let next = performance.now(); next < endsAt; next += ((0.5 + Math.random()) * 1_000) / perSecond) {
    await pause(Math.max(0, next - performance.now()));
    running.push(act());
  }
  await Promise.all(running);
}
