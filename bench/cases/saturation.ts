import { interleave } from '../bench.ts';
import type { Measurement } from '../measure/measure.ts';
import { measure } from '../measure/measure.ts';
import type { Case } from './case.ts';
import { atMostTimesFloor, row } from './case.ts';

const microsecondsPerRequest = ({ cpuSeconds, load }: Measurement): number => (cpuSeconds * 1e6) / load.requests;

/** The highest rate of small requests without streaming. */
export const saturation: Case = {
  id: 'a',
  title: 'Not streamed, 64 connections, 1 KB each way',
  limitMs: 180_000,
  async run(bench) {
    const [warmUpMs, measureMs, rounds] = bench.quick ? [300, 1_500, 1] : [500, 1_500, 9];
    const results = await interleave(bench.systems, rounds, (system) =>
      measure(bench, system, {
        mode: { kind: 'answer', delayMs: 0 },
        plan: { kind: 'closed', connections: 64, warmUpMs, measureMs },
      }),
    );
    return {
      rows: [
        row('CPU per request, µs', results, { value: microsecondsPerRequest, goal: atMostTimesFloor(2.6) }),
        row('requests per second', results, { value: ({ load }) => load.requests / load.seconds }),
        row('latency p50, ms', results, { value: ({ load }) => load.latencyMs.p50 }),
        row('latency p99, ms', results, { value: ({ load }) => load.latencyMs.p99, goal: atMostTimesFloor(2.4) }),
      ],
      detail: results,
    };
  },
};
