import { interleave } from '../bench.ts';
import { measure } from '../measure/measure.ts';
import type { Case } from './case.ts';
import { addedRow, atMostAboveFloor, atMostTimesFloor, row } from './case.ts';

/** Latency added to an idle system. The time the upstream waits is subtracted from each answer exactly. */
export const addedLatency: Case = {
  id: 'b',
  title: '100 requests per second, upstream answers after 20 ms',
  limitMs: 180_000,
  async run(bench) {
    const [warmUpMs, measureMs, rounds] = bench.quick ? [300, 1_500, 1] : [500, 3_000, 7];
    const results = await interleave(bench.systems, rounds, (system) =>
      measure(bench, system, {
        mode: { kind: 'answer', delayMs: 20 },
        plan: { kind: 'rate', perSecond: 100, warmUpMs, measureMs },
      }),
    );
    const p50 = row('p50', results, { value: ({ load }) => load.outsideMs.p50 });
    const p99 = row('p99', results, { value: ({ load }) => load.outsideMs.p99 });
    return {
      rows: [
        addedRow(p50, 'added latency p50, ms', atMostTimesFloor(1.2)),
        addedRow(p99, 'added latency p99, ms', atMostAboveFloor(2, 'ms')),
        row('CPU per request, µs', results, {
          value: ({ cpuSeconds, load }) => (cpuSeconds * 1e6) / load.requests,
          goal: atMostTimesFloor(1.4),
        }),
        row('wake-ups per request', results, { value: ({ wakeUps, load }) => wakeUps / load.requests }),
      ],
      detail: results,
    };
  },
};
