import { setTimeout as wait } from 'node:timers/promises';
import type { UpstreamReport } from './mode.ts';
import type { UpstreamProcess } from './upstream.ts';

const patienceMs = 5_000;

/** Waits up to 5 s until the upstream has no open stream. The report counts the streams still open. */
export async function waitForStreams(upstream: UpstreamProcess): Promise<UpstreamReport> {
  const deadline = performance.now() + patienceMs;
  let report = await upstream.report();
  while (report.open > 0 && performance.now() < deadline) {
    await wait(50);
    report = await upstream.report();
  }
  return report;
}
