import type { Bench } from '../bench.ts';
import { interleave } from '../bench.ts';
import type { Measured } from '../measure/measure.ts';
import { measure } from '../measure/measure.ts';
import type { System } from '../system.ts';
import type { Case } from './case.ts';
import { addedRow, atMost, atMostTimesFloor, row } from './case.ts';

const chunksPerStream = 200;
const perHundredThousand = ({ cpuSeconds, load }: Measured): number => (cpuSeconds * 1e5) / load.chunks;

/** Streams as fast as everybody takes them. */
export const fullSpeed: Case = {
  id: 'c',
  title: 'Streams of 200 chunks at full speed',
  limitMs: 120_000,
  async run(bench) {
    const [many, few, rounds] = bench.quick ? [800, 100, 1] : [2_000, 300, 3];
    const crowd = await interleave(bench.systems, rounds, (system) => streams(bench, system, { at: 200, total: many }));
    const group = await interleave(bench.systems, rounds, (system) => streams(bench, system, { at: 20, total: few }));
    const firstByte = row('first byte', group, { value: ({ load }) => load.firstByteMs.p50 });
    return {
      rows: [
        row('200 at once: CPU-s per 100k chunks', crowd, { value: perHundredThousand, goal: atMostTimesFloor(3) }),
        row('200 at once: chunks per second', crowd, { value: ({ load }) => load.chunks / load.seconds }),
        row('200 at once: first byte p50, ms', crowd, { value: ({ load }) => load.firstByteMs.p50 }),
        addedRow(firstByte, '20 at once: added first byte p50, ms', atMost(2, 'ms')),
      ],
      detail: { crowd, group },
    };
  },
};

async function streams(bench: Bench, system: System, { at, total }: { at: number; total: number }): Promise<Measured> {
  const measured = await measure(bench, system, {
    mode: { kind: 'stream', chunks: chunksPerStream, intervalMs: 0 },
    plan: { kind: 'count', connections: at, total },
  });
  const expected = total * chunksPerStream;
  const { chunks } = measured.load;
  if (chunks !== expected) bench.problem(system, `${chunks} of ${expected} chunks arrived`);
  return measured;
}
