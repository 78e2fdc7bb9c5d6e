/** Reads the clock in every turn of the event loop while the task runs. */
export async function longestGap(task: () => Promise<number>): Promise<{ status: number; gapMs: number }> {
  let last = performance.now();
  let gapMs = 0;
  let running = true;
  const sample = (): void => {
    const now = performance.now();
    gapMs = Math.max(gapMs, now - last);
    last = now;
    if (running) setImmediate(sample);
  };
  sample();
  const status = await task();
  running = false;
  sample();
  return { status, gapMs };
}
