import type { Bench } from '../bench.ts';
import type { System } from '../system.ts';
import { cpuSeconds, difference, machineSeconds, ownSeconds, sum } from './cpu.ts';

export interface Costs {
  /** Processor seconds of all the system's processes while it was measured. */
  cpuSeconds: number;
  cpuByProcess: Record<string, number>;
  /** Databases, the upstream and the generator: not counted, but in the JSON. */
  cpuBeside: Record<string, number>;
  /** How many cores the rest of the machine kept busy: a reason to distrust latencies. */
  othersCores: number;
}

export interface Meter {
  /** From now on it counts; until called, since the meter was made. */
  begin(): void;
  end(): Costs;
}

export function startMeter(bench: Bench, system: System): Meter {
  const besidePids = { ...system.besidePids, ...bench.upstream.pids, ...bench.generator.pids };
  const read = () => ({
    time: performance.now() / 1e3,
    counted: cpuSeconds(system.pids),
    beside: cpuSeconds(besidePids),
    machine: machineSeconds(),
    own: ownSeconds(),
  });
  let began = read();
  return {
    begin() {
      began = read();
    },
    end() {
      const ended = read();
      const cpuByProcess = difference(began.counted, ended.counted);
      const cpuBeside = difference(began.beside, ended.beside);
      const ours = (sum(cpuByProcess) || 0) + sum(cpuBeside) + ended.own - began.own;
      const othersCores = (ended.machine - began.machine - ours) / (ended.time - began.time);
      return { cpuSeconds: sum(cpuByProcess), cpuByProcess, cpuBeside, othersCores: Math.max(0, othersCores) };
    },
  };
}
