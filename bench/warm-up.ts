import type { LoadPlan } from './load/plan.ts';
import { targetOf } from './load/target.ts';
import type { Generator } from './load/generator.ts';
import type { System } from './system.ts';
import type { UpstreamMode } from './upstream/mode.ts';
import type { UpstreamProcess } from './upstream/upstream.ts';

const answers: UpstreamMode = { kind: 'answer', delayMs: 0 };
const streams: UpstreamMode = { kind: 'stream', chunks: 100, intervalMs: 0 };

/** Sends some requests of each kind. Throws if one fails. */
export async function warmUp(
  { upstream, generator }: { upstream: UpstreamProcess; generator: Generator },
  system: System,
): Promise<void> {
  for (const [mode, total] of [
    [answers, 2_000],
    [streams, 200],
  ] as const) {
    await upstream.setMode(mode);
    const plan: LoadPlan = { kind: 'count', target: targetOf(system, mode), connections: 16, total };
    const { failures, firstFailure } = await generator.run(plan, { deadlineMs: 30_000, onMeasuring: () => undefined });
    if (failures > 0)
      throw new Error(`${system.name} failed ${failures} of ${total} warm-up requests: ${firstFailure}`);
  }
}
