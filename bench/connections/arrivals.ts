import { setTimeout as pause } from 'node:timers/promises';

interface Arrivals {
  perSecond: number;
  forMs: number;
}

/** Calls `act` at random moments, so many times a second on average, without waiting for it; then waits for all. */
export async function arriveAtRandom({ perSecond, forMs }: Arrivals, act: () => Promise<void>): Promise<void> {
  const running: Promise<void>[] = [];
  const endsAt = performance.now() + forMs;
  for (let next = performance.now(); next < endsAt; next += (-Math.log(1 - Math.random()) * 1_000) / perSecond) {
    await pause(Math.max(0, next - performance.now()));
    running.push(act());
  }
  await Promise.all(running);
}
