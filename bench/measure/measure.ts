import type { Bench } from '../bench.ts';
import type { LoadPlan, LoadResult } from '../load/plan.ts';
import type { System } from '../system.ts';
import type { UpstreamMode } from '../upstream/mode.ts';
import { untilLeft } from '../upstream/until-left.ts';
import { targetOf } from '../load/target.ts';
import { cpuSeconds, difference, sum } from './cpu.ts';
import { privateKib, watchMemory } from './memory.ts';

type WithoutTarget<Plan> = Plan extends unknown ? Omit<Plan, 'target'> : never;

export interface Work {
  mode: UpstreamMode;
  plan: WithoutTarget<LoadPlan>;
  /** How often memory is sampled; not at all when absent, since looking costs the looked-at. */
  memoryEveryMs?: number;
}

export interface Measured {
  load: LoadResult;
  /** Processor seconds of all the system's processes while it was measured. */
  cpuSeconds: number;
  cpuByProcess: Record<string, number>;
  /** Databases, the upstream and the generator: not counted, but in the JSON. */
  cpuBeside: Record<string, number>;
  memory: { beforeKib: number; peakKib: number; lastKib: number; last: Record<string, number> };
}

const deadlineMs = 60_000;

/** One piece of load against one system, with what it cost. */
export async function measure(bench: Bench, system: System, { mode, plan, memoryEveryMs }: Work): Promise<Measured> {
  // Streams that the load before left are not this one's.
  await untilLeft(bench.upstream);
  await bench.upstream.setMode(mode);
  const beforeKib = memoryEveryMs === undefined ? 0 : sum(privateKib(system.pids));
  const besidePids = { ...system.besidePids, ...bench.upstream.pids, ...bench.generator.pids };
  let began = { counted: cpuSeconds(system.pids), beside: cpuSeconds(besidePids) };
  const watch = memoryEveryMs === undefined ? undefined : watchMemory(system.pids, memoryEveryMs);
  try {
    const load = await bench.generator.run(
      { ...plan, target: targetOf(system, mode) },
      {
        deadlineMs,
        onMeasuring: () => {
          began = { counted: cpuSeconds(system.pids), beside: cpuSeconds(besidePids) };
        },
      },
    );
    const cpuByProcess = difference(began.counted, cpuSeconds(system.pids));
    const cpuBeside = difference(began.beside, cpuSeconds(besidePids));
    if (load.failures > 0) bench.problem(system, `${load.failures} failed, the first with: ${load.firstFailure ?? ''}`);
    const memory = { beforeKib, peakKib: 0, lastKib: 0, last: {}, ...watch?.stop() };
    return { load, cpuSeconds: sum(cpuByProcess), cpuByProcess, cpuBeside, memory };
  } finally {
    watch?.stop();
  }
}
