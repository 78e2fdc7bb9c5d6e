import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { UpstreamReport } from '../upstream/mode.ts';

const patienceMs = 5_000;

/** Waits until the upstream has no open stream any more, or for a while; what is still open then is in the report. */
export async function untilLeft(bench: Bench): Promise<UpstreamReport> {
  const deadline = performance.now() + patienceMs;
  let report = await bench.upstream.report();
  while (report.open > 0 && performance.now() < deadline) {
    await wait(50);
    report = await bench.upstream.report();
  }
  return report;
}
