import { setTimeout as delay } from 'node:timers/promises';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The longest that a test takes on a busy machine. */
const marginMs = 20_000;

/** If the hour or day (UTC) ends soon, waits for its end: a test that compares times with the present one must not run into it. */
export async function afterTurnOf(periodMs: number): Promise<void> {
  const leftMs = periodMs - (Date.now() % periodMs);
  if (leftMs < marginMs) await delay(leftMs);
}
