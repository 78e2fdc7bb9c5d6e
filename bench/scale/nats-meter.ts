import { setTimeout as pause } from 'node:timers/promises';
import type { Link } from '../../packages/bus/src/index.ts';
import { natsLink } from '../../packages/bus/src/nats.ts';
import { cpuSeconds, sum } from '../measure/cpu.ts';
import { startBusServer } from '../support/nats.ts';
import type { Undo } from '../support/undo.ts';

interface MeteredNats {
  /** A link of a process of its own. */
  open(name: string): Promise<Link>;
  /** Microseconds of CPU that NATS needs for the work, less what it needs for as long without any. */
  microsOf(work: () => Promise<unknown>): Promise<number>;
}

const idleMs = 2_000;

export async function startMeteredNats(undo: Undo): Promise<MeteredNats> {
  const nats = await startBusServer();
  undo.add(nats.stop);
  const usedMicros = (): number => sum(cpuSeconds(nats.pids)) * 1e6;
  async function microsPerMs(work: () => Promise<unknown>): Promise<{ rate: number; tookMs: number }> {
    const [before, startedAt] = [usedMicros(), performance.now()];
    await work();
    const tookMs = performance.now() - startedAt;
    return { rate: (usedMicros() - before) / tookMs, tookMs };
  }
  return {
    async open(name) {
      const link = await natsLink({ url: nats.url, name });
      undo.add(() => link.close());
      return link;
    },
    async microsOf(work) {
      const idle = await microsPerMs(() => pause(idleMs));
      const busy = await microsPerMs(work);
      const idleAfter = await microsPerMs(() => pause(idleMs));
      return (busy.rate - (idle.rate + idleAfter.rate) / 2) * busy.tookMs;
    },
  };
}
