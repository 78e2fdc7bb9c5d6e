import { interleave } from '../bench.ts';
import { measure } from '../measure/measure.ts';
import type { Case } from './case.ts';
import { atLeastTimesFloor, atMostTimesFloor, row } from './case.ts';

const answerBytes = 12_000_000;

/** Large answers, as with inlined images: throughput of all processes, and their peak memory. */
export const largeAnswers: Case = {
  id: 'e',
  title: '12 MB JSON answers, 8 at once',
  fresh: true,
  limitMs: 120_000,
  async run(bench) {
    const [total, rounds] = bench.quick ? [16, 1] : [50, 2];
    const results = await interleave(bench.systems, rounds, (system) =>
      measure(bench, system, {
        mode: { kind: 'large', bytes: answerBytes },
        plan: { kind: 'count', connections: 8, total },
        memoryEveryMs: 50,
      }),
    );
    return {
      rows: [
        row('MB per second', results, {
          value: ({ load }) => load.bytes / 1e6 / load.seconds,
          goal: atLeastTimesFloor(0.68),
        }),
        row('peak private memory, MB', results, {
          value: ({ memory }) => memory.peakKib / 1024,
          goal: atMostTimesFloor(1.5),
        }),
        row('growth during the case, MB', results, {
          value: ({ memory }) => (memory.peakKib - memory.beforeKib) / 1024,
        }),
        row('CPU per answer, ms', results, { value: ({ cpuSeconds, load }) => (cpuSeconds * 1e3) / load.requests }),
      ],
      detail: results,
    };
  },
};
