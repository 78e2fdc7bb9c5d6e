import type { Bench } from '../bench.ts';
import { interleave } from '../bench.ts';
import { measure } from '../measure/measure.ts';
import type { System } from '../system.ts';
import type { Case } from './case.ts';
import { atLeast, row } from './case.ts';
import { waitForStreams } from '../upstream/wait-for-streams.ts';

const clients = 200;
const withinMs = 300;

interface DisconnectResult {
  inTime: number;
  lastMs: number;
  stillOpen: number;
}

/** When a client disconnects mid-stream, its upstream connection must close, too, so that billing stops. */
export const disconnects: Case = {
  id: 'f',
  title: '200 clients disconnect mid-stream at once',
  limitMs: 120_000,
  async run(bench) {
    const results = await interleave(bench.systems, bench.quick ? 1 : 2, (system) => disconnect(bench, system));
    return {
      rows: [
        row(`upstreams closed within ${withinMs} ms`, results, {
          value: (result) => result.inTime,
          goal: atLeast(clients),
        }),
        row('last upstream closed after, ms', results, { value: (result) => result.lastMs }),
        row('still open after 5 s', results, { value: (result) => result.stillOpen }),
      ],
      detail: results,
    };
  },
};

async function disconnect(bench: Bench, system: System): Promise<DisconnectResult> {
  const { load } = await measure(bench, system, {
    mode: { kind: 'stream', chunks: 0, intervalMs: 50 },
    plan: { kind: 'hold', streams: clients, rampMs: 300, settleMs: 200, measureMs: 500 },
  });
  const report = await waitForStreams(bench.upstream);
  const delays = report.leftAt.map((time) => (time - load.leftAt) / 1e3);
  const inTime = delays.filter((delay) => delay <= withinMs).length;
  return { inTime, lastMs: Math.max(0, ...delays), stillOpen: report.open };
}
