import { startGateway } from '../gateway/gateway.ts';
import { startGenerator } from '../load/generator.ts';
import { targetOf } from '../load/target.ts';
import { cpuSeconds } from '../measure/cpu.ts';
import { parseOptions } from '../options.ts';
import { createUndo } from '../support/undo.ts';
import { startUpstream } from '../upstream/upstream.ts';
import { startFlooder } from './flood.ts';

/**
 * Effect of a flood of invalid keys on a client with a valid key at the same address. Goal: the p99 of this client at
 * most doubles. The CPU time is edge's per refused request, without the time that the valid requests take.
 */
const options = parseOptions(process.argv.slice(2));
const [rounds, measureMs] = options.quick ? [1, 2_000] : [3, 5_000];
const floodPerSecond = 5_000;
const mode = { kind: 'answer', delayMs: 20 } as const;
const undo = createUndo();

try {
  const upstream = await startUpstream();
  undo.add(upstream.stop);
  const system = await startGateway(upstream.port, options);
  undo.add(system.stop);
  const generator = await startGenerator();
  undo.add(generator.stop);
  const flooder = await startFlooder();
  undo.add(flooder.stop);
  await upstream.setMode(mode);
  const target = targetOf(system, mode);

  const edgeSeconds = (): number => cpuSeconds(system.pids).edge ?? 0;
  let quietSeconds = 0;

  const load = async (): Promise<string> => {
    const plan = { kind: 'rate', target, perSecond: 100, warmUpMs: 500, measureMs } as const;
    const { latencyMs, failures } = await generator.run(plan, { deadlineMs: 60_000, onMeasuring: () => {} });
    return `p50 ${latencyMs.p50.toFixed(1)} ms, p99 ${latencyMs.p99.toFixed(1)} ms, ${failures} failed`;
  };
  const flood = async (mistyped: boolean): Promise<string> => {
    const milliseconds = measureMs + 1_000;
    const before = edgeSeconds();
    const flooding = flooder.run({ port: system.port, perSecond: floodPerSecond, milliseconds, mistyped });
    const latencies = await load();
    const { perSecond, statuses } = await flooding;
    const refused = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const each = ((edgeSeconds() - before - quietSeconds) / refused) * 1e6;
    return `${latencies}; ${Math.round(perSecond)}/s cost ${each.toFixed(0)} µs each, answered ${JSON.stringify(statuses)}`;
  };
  const quiet = async (): Promise<string> => {
    const before = edgeSeconds();
    const latencies = await load();
    quietSeconds = edgeSeconds() - before;
    return latencies;
  };

  for (let round = 0; round < rounds; round += 1) {
    console.log(`no flood        ${await quiet()}`);
    console.log(`mistyped keys   ${await flood(true)}`);
    console.log(`unknown keys    ${await flood(false)}`);
  }
} finally {
  await undo.all();
}
