import type { Bench } from '../bench.ts';
import { interleave } from '../bench.ts';
import { sum } from '../measure/cpu.ts';
import { measure } from '../measure/measure.ts';
import { privateKib } from '../measure/memory.ts';
import type { System } from '../system.ts';
import type { Case } from './case.ts';
import { atMost, row } from './case.ts';

interface StreamMemory {
  streams: number;
  kibPerStream: number;
}

/** Memory of an open, idle stream: the growth of all processes, per stream. */
export const openStreams: Case = {
  id: 'd',
  title: 'Open slow streams (a chunk every 5 s)',
  fresh: true,
  limitMs: 360_000,
  async run(bench) {
    const counts = bench.quick ? [1_000] : [1_000, 5_000];
    const systems = bench.systems.filter((system) => system.name !== 'direct');
    const results = await interleave(systems, 1, async (system) => {
      const idleKib = sum(privateKib(system.pids));
      const held: StreamMemory[] = [];
      for (const streams of counts) held.push(await hold(bench, system, { streams, idleKib }));
      return held;
    });
    const rows = counts.map((streams, index) =>
      row(`${streams} open: KiB per stream`, results, {
        value: (held) => held[index]?.kibPerStream ?? NaN,
        ...(streams === 5_000 && { goal: atMost(45, 'KiB') }),
      }),
    );
    return { rows, detail: results };
  },
};

async function hold(bench: Bench, system: System, { streams, idleKib }: { streams: number; idleKib: number }) {
  const [settleMs, measureMs] = bench.quick ? [300, 1_500] : [2_000, 5_000];
  const measurement = await measure(bench, system, {
    mode: { kind: 'stream', chunks: 0, intervalMs: 5_000 },
    plan: { kind: 'hold', streams, rampMs: bench.quick ? 500 : streams, settleMs, measureMs },
    memoryEveryMs: 250,
  });
  return { streams, idleKib, kibPerStream: (measurement.memory.lastKib - idleKib) / streams, measurement };
}
