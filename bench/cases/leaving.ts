import type { Bench } from '../bench.ts';
import { interleave } from '../bench.ts';
import { measure } from '../measure/measure.ts';
import type { System } from '../system.ts';
import type { Case } from './case.ts';
import { atLeast, row } from './case.ts';
import { untilLeft } from '../upstream/until-left.ts';

const clients = 200;
const withinMs = 300;

interface Left {
  inTime: number;
  lastMs: number;
  stillOpen: number;
}

/** Clients that leave mid-stream must not leave a bill behind: the upstream's connection ends too. */
export const leaving: Case = {
  id: 'f',
  title: '200 clients leave mid-stream at once',
  limitMs: 60_000,
  async run(bench) {
    const results = await interleave(bench.systems, bench.quick ? 1 : 2, (system) => leave(bench, system));
    return {
      rows: [
        row(`upstreams closed within ${withinMs} ms`, results, {
          value: (left) => left.inTime,
          goal: atLeast(clients),
        }),
        row('last upstream closed after, ms', results, { value: (left) => left.lastMs }),
        row('still open after 5 s', results, { value: (left) => left.stillOpen }),
      ],
      detail: results,
    };
  },
};

async function leave(bench: Bench, system: System): Promise<Left> {
  const { load } = await measure(bench, system, {
    mode: { kind: 'stream', chunks: 0, intervalMs: 50 },
    plan: { kind: 'hold', streams: clients, rampMs: 300, settleMs: 200, measureMs: 500 },
  });
  const report = await untilLeft(bench.upstream);
  const delays = report.leftAt.map((time) => (time - load.leftAt) / 1e3);
  const inTime = delays.filter((delay) => delay <= withinMs).length;
  return { inTime, lastMs: Math.max(0, ...delays), stillOpen: report.open };
}
