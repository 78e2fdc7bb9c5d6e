import type { Bench, BySystem } from '../bench.ts';
import { interleave } from '../bench.ts';
import type { Measurement } from '../measure/measure.ts';
import { measure } from '../measure/measure.ts';
import type { System } from '../system.ts';
import type { Case, Row } from './case.ts';
import { addedRow, atMost, atMostTimesFloor, row } from './case.ts';

const intervalMs = 20;
const perHundredThousand = ({ cpuSeconds, load }: Measurement): number => (cpuSeconds * 1e5) / load.chunks;

/** Streams at the pace of a model, 50 chunks a second: nearly every chunk wakes three processes. */
export const paced: Case = {
  id: 'p',
  title: 'Streams at 50 chunks per second',
  limitMs: 900_000,
  async run(bench) {
    const [measureMs, rounds] = bench.quick ? [1_200, 1] : [3_000, 5];
    const ten = await interleave(bench.systems, rounds, (system) => pace(bench, system, { streams: 10, measureMs }));
    const hundred = await interleave(bench.systems, rounds, (system) =>
      pace(bench, system, { streams: 100, measureMs }),
    );
    const thousand = await interleave(bench.systems, bench.quick ? 1 : 2, (system) =>
      pace(bench, system, { streams: 1_000, measureMs }),
    );
    const p99 = row('p99', hundred, { value: ({ load }) => load.chunkMs.p99 });
    const p50 = row('p50', hundred, { value: ({ load }) => load.chunkMs.p50 });
    return {
      rows: [
        row('10 streams: per chunk p50, ms', ten, { value: ({ load }) => load.chunkMs.p50, goal: atMost(0.5, 'ms') }),
        row('100 streams: CPU-s per 100k chunks', hundred, { value: perHundredThousand, goal: atMostTimesFloor(0.41) }),
        addedRow(p50, '100 streams: added per chunk p50, ms'),
        addedRow(p99, '100 streams: added per chunk p99, ms', atMostTimesFloor(3.8)),
        row('100 streams: latest chunk, ms', hundred, { value: ({ load }) => load.chunkMs.max }),
        row('100 streams: first byte p50, ms', hundred, {
          value: ({ load }) => load.firstByteMs.p50,
          goal: atMostTimesFloor(2.3),
        }),
        ...thousandRows(thousand),
      ],
      detail: { ten, hundred, thousand },
    };
  },
};

function thousandRows(results: BySystem<Measurement[]>): Row[] {
  return [
    row('1,000 streams: CPU-s per 100k chunks', results, { value: perHundredThousand }),
    row('1,000 streams: chunks per second', results, { value: ({ load }) => load.chunks / load.seconds }),
    row('1,000 streams: per chunk p50, ms', results, { value: ({ load }) => load.chunkMs.p50 }),
    row('1,000 streams: per chunk p99, ms', results, { value: ({ load }) => load.chunkMs.p99 }),
    row('1,000 streams: latest chunk, ms', results, { value: ({ load }) => load.chunkMs.max, goal: atMost(50, 'ms') }),
  ];
}

function pace(bench: Bench, system: System, { streams, measureMs }: { streams: number; measureMs: number }) {
  return measure(bench, system, {
    mode: { kind: 'stream', chunks: 0, intervalMs },
    plan: { kind: 'hold', streams, rampMs: bench.quick ? 500 : 1_000, settleMs: 300, measureMs },
  });
}
