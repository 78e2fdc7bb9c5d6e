import type { Bench } from '../bench.ts';
import type { System } from '../system.ts';
import { cpuSeconds, difference, machineSeconds, ownSeconds, sum } from './cpu.ts';
import { wakeUps } from './wake-ups.ts';

export interface Costs {
  /** CPU seconds of all processes of the system during the measurement. */
  cpuSeconds: number;
  cpuByProcess: Record<string, number>;
  /** How often the processes of the system woke up during the measurement. */
  wakeUps: number;
  wakeUpsByProcess: Record<string, number>;
  /** CPU seconds of the databases, the upstream and the generator: in the JSON only. */
  cpuBeside: Record<string, number>;
  /** Cores kept busy by other programs, which makes latencies unreliable. */
  othersCores: number;
}

interface Meter {
  /** Starts the measurement again. It first starts when the meter is created. */
  begin(): void;
  end(): Costs;
}

export function startMeter(bench: Bench, system: System): Meter {
  const besidePids = { ...system.besidePids, ...bench.upstream.pids, ...bench.generator.pids };
  const read = () => ({
    time: performance.now() / 1e3,
    counted: cpuSeconds(system.pids),
    wakeUps: wakeUps(system.pids),
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
      const wakeUpsByProcess = difference(began.wakeUps, ended.wakeUps);
      return {
        cpuSeconds: sum(cpuByProcess),
        cpuByProcess,
        wakeUps: sum(wakeUpsByProcess),
        wakeUpsByProcess,
        cpuBeside,
        othersCores: Math.max(0, othersCores),
      };
    },
  };
}
