import { startGateway } from '../gateway/gateway.ts';
import { startGenerator } from '../load/generator.ts';
import { targetOf } from '../load/target.ts';
import { cpuSeconds, difference, sum } from '../measure/cpu.ts';
import { median } from '../measure/stats.ts';
import { parseOptions } from '../options.ts';
import { printMeasure } from '../support/print-measure.ts';
import { createUndo } from '../support/undo.ts';
import { startUpstream } from '../upstream/upstream.ts';

// `node bench/cache/main.ts`: latency of a chat answered from the cache, through edge, the bus and Redis.

const options = parseOptions(process.argv.slice(2));
const [rounds, measureMs] = options.quick ? [1, 2_000] : [5, 4_000];
const undo = createUndo();

try {
  // The upstream answers late, so that a cache miss is visible in the latency.
  const mode = { kind: 'answer', delayMs: 50 } as const;
  const upstream = await startUpstream();
  undo.add(upstream.stop);
  await upstream.setMode(mode);
  const gateway = await startGateway(upstream.port, options, { environment: { CACHE_TTL_SECONDS: '600' } });
  undo.add(gateway.stop);
  const generator = await startGenerator();
  undo.add(generator.stop);

  const { 'x-no-cache': _, ...headers } = { 'x-no-cache': '', ...gateway.headers };
  const target = targetOf({ ...gateway, headers }, mode);
  const load = async (plan: { kind: 'rate'; perSecond: number } | { kind: 'closed'; connections: number }) => {
    let before = cpuSeconds(gateway.pids);
    const result = await generator.run(
      { ...plan, target, warmUpMs: 500, measureMs },
      { deadlineMs: 60_000, onMeasuring: () => (before = cpuSeconds(gateway.pids)) },
    );
    if (result.failures > 0) throw new Error(`${result.failures} requests failed: ${result.firstFailure}`);
    const seconds = difference(before, cpuSeconds(gateway.pids));
    return { ...result.latencyMs, cpuMicros: perRequest(seconds, result.latencyMs.count) };
  };
  await load({ kind: 'closed', connections: 32 });

  const steady: Awaited<ReturnType<typeof load>>[] = [];
  const closed: Awaited<ReturnType<typeof load>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    steady.push(await load({ kind: 'rate', perSecond: 100 }));
    closed.push(await load({ kind: 'closed', connections: 8 }));
  }
  const p50 = median(steady.map((result) => result.p50));
  printMeasure('hits, 100 a second: p50', `${p50.toFixed(2)} ms`, '≤ 3 ms', p50 <= 3);
  printMeasure('p99', `${median(steady.map((result) => result.p99)).toFixed(2)} ms`);
  printMeasure('hits, 8 at once: p50', `${median(closed.map((result) => result.p50)).toFixed(2)} ms`);
  printMeasure('p99', `${median(closed.map((result) => result.p99)).toFixed(2)} ms`);
  const micros = closed.map((result) => result.cpuMicros);
  printMeasure('processor time of all services', `${median(micros.map(sum)).toFixed(0)} µs`);
  for (const name of Object.keys(gateway.pids)) {
    printMeasure(`of ${name}`, `${median(micros.map((each) => each[name] ?? 0)).toFixed(0)} µs`);
  }
} finally {
  await undo.all();
}

function perRequest(seconds: Record<string, number>, count: number): Record<string, number> {
  return Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, (value * 1e6) / count]));
}
