import type { Bench } from '../bench.ts';
import type { LoadPlan, LoadResult } from '../load/plan.ts';
import type { System } from '../system.ts';
import type { UpstreamMode } from '../upstream/mode.ts';
import { waitForStreams } from '../upstream/wait-for-streams.ts';
import { targetOf } from '../load/target.ts';
import { sum } from './cpu.ts';
import { startMeter } from './meter.ts';
import type { Costs } from './meter.ts';
import { privateKib, watchMemory } from './memory.ts';

type WithoutTarget<Plan> = Plan extends unknown ? Omit<Plan, 'target'> : never;

interface Work {
  mode: UpstreamMode;
  plan: WithoutTarget<LoadPlan>;
  /** How often memory is sampled. Default: never, because sampling slows the processes down. */
  memoryEveryMs?: number;
}

export interface Measurement extends Costs {
  load: LoadResult;
  memory: { beforeKib: number; peakKib: number; lastKib: number; last: Record<string, number> };
}

const deadlineMs = 60_000;

/** Runs one load against one system and measures its cost. */
export async function measure(bench: Bench, system: System, { mode, plan, memoryEveryMs }: Work): Promise<Measurement> {
  // Streams of the previous load must not count for this one.
  await waitForStreams(bench.upstream);
  await bench.upstream.setMode(mode);
  const beforeKib = memoryEveryMs === undefined ? 0 : sum(privateKib(system.pids));
  const watch = memoryEveryMs === undefined ? undefined : watchMemory(system.pids, memoryEveryMs);
  const meter = startMeter(bench, system);
  try {
    const loadPlan = { ...plan, target: targetOf(system, mode) };
    const load = await bench.generator.run(loadPlan, { deadlineMs, onMeasuring: meter.begin });
    const costs = meter.end();
    bench.others(costs.othersCores);
    if (load.failures > 0) bench.problem(system, `${load.failures} failed, first error: ${load.firstFailure ?? ''}`);
    return { load, ...costs, memory: { beforeKib, peakKib: 0, lastKib: 0, last: {}, ...watch?.stop() } };
  } finally {
    watch?.stop();
  }
}
