import type { Bench } from '../bench.ts';
import { interleave } from '../bench.ts';
import type { Measurement } from '../measure/measure.ts';
import { measure } from '../measure/measure.ts';
import type { System } from '../system.ts';
import type { Case } from './case.ts';
import { addedRow, atMost, atMostTimesFloor, row } from './case.ts';

const chunksPerStream = 200;
const perHundredThousand = ({ cpuSeconds, load }: Measurement): number => (cpuSeconds * 1e5) / load.chunks;

/** Streams at the highest rate the systems sustain. */
export const fullSpeed: Case = {
  id: 'c',
  title: 'Streams of 200 chunks at full speed',
  limitMs: 360_000,
  async run(bench) {
    const [total, rounds] = bench.quick ? [800, 1] : [2_000, 7];
    const twoHundred = await interleave(bench.systems, rounds, (system) => atFullSpeed(bench, system, total));
    const twenty = await interleave(bench.systems, rounds, (system) => atModelPace(bench, system));
    const firstByte = row('first byte', twenty, { value: ({ load }) => load.firstByteMs.p50 });
    return {
      rows: [
        row('200 at once: CPU-s per 100k chunks', twoHundred, {
          value: perHundredThousand,
          goal: atMostTimesFloor(1.8),
        }),
        row('200 at once: chunks per second', twoHundred, { value: ({ load }) => load.chunks / load.seconds }),
        row('200 at once: first byte p50, ms', twoHundred, {
          value: ({ load }) => load.firstByteMs.p50,
          goal: atMostTimesFloor(1.6),
        }),
        addedRow(firstByte, '20 at once, paced: added first byte p50, ms', atMost(2, 'ms')),
      ],
      detail: { twoHundred, twenty },
    };
  },
};

async function atFullSpeed(bench: Bench, system: System, total: number): Promise<Measurement> {
  const measured = await measure(bench, system, {
    mode: { kind: 'stream', chunks: chunksPerStream, intervalMs: 0 },
    plan: { kind: 'count', connections: 200, total },
  });
  const expected = total * chunksPerStream;
  const { chunks } = measured.load;
  if (chunks !== expected) bench.problem(system, `${chunks} of ${expected} chunks arrived`);
  return measured;
}

/**
 * Short paced streams, of which about a hundred begin each second: at full speed the first byte would wait in a queue.
 */
function atModelPace(bench: Bench, system: System): Promise<Measurement> {
  return measure(bench, system, {
    mode: { kind: 'stream', chunks: 10, intervalMs: 20 },
    plan: { kind: 'closed', connections: 20, warmUpMs: 300, measureMs: bench.quick ? 1_000 : 2_000 },
  });
}
