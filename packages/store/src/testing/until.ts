import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition, with a deadline. Unlike `expect.poll` it may be used by tests that run at the same time. */
export async function until(condition: () => boolean | Promise<boolean>, deadlineMs = 8_000): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not so within ${deadlineMs} ms: ${condition.toString()}`);
    await sleep(10);
  }
}
