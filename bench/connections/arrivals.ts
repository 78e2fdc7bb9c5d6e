import { setTimeout as pause } from 'node:timers/promises';

interface Arrivals {
  perSecond: number;
  forMs: number;
  /** As those of many clients who know nothing of each other. Otherwise pauses are a half to one and a half of their mean. */
  areIndependent: boolean;
}

/** Calls `act` so many times a second; then waits for all. */
export async function arrive({ perSecond, forMs, areIndependent }: Arrivals, act: () => Promise<void>): Promise<void> {
  const running: Promise<void>[] = [];
  const endsAt = performance.now() + forMs;
  const shareOfMean = areIndependent ? () => -Math.log(1 - Math.random()) : () => 0.5 + Math.random();
  for (let next = performance.now(); next < endsAt; next += (shareOfMean() * 1_000) / perSecond) {
    await pause(Math.max(0, next - performance.now()));
    running.push(act());
  }
  await Promise.all(running);
}
