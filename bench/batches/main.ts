import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../gateway/gateway.ts';
import { startGenerator } from '../load/generator.ts';
import type { LoadResult } from '../load/plan.ts';
import { prompt, targetOf } from '../load/target.ts';
import { describeMachine } from '../measure/machine.ts';
import type { Pids } from '../measure/cpu.ts';
import { privateKib } from '../measure/memory.ts';
import { median } from '../measure/stats.ts';
import { parseOptions } from '../options.ts';
import { printMeasure } from '../support/print-measure.ts';
import { createUndo } from '../support/undo.ts';
import { startUpstream } from '../upstream/upstream.ts';
import { type BatchRun, startBatch } from './runs.ts';

// `node bench/batches/main.ts`: the lines a second of a batch beside what live requests reach, the latency of live requests
// while one runs, and the memory of batch-svc. --quick makes a short run, not for quoting.

// Of a vendor without batches: the lines run here.
const options = { ...parseOptions(process.argv.slice(2)), model: 'deepseek/deepseek-v4-flash' };
const [lines, measureMs, rounds] = options.quick ? [2_000, 3_000, 1] : [50_000, 20_000, 3];
const warmUpMs = measureMs / 2;
const connections = 64;
const perSecond = 100;
const mode = { kind: 'answer', delayMs: 20 } as const;

const undo = createUndo();
process.once('SIGINT', () => void undo.all().finally(() => process.exit(130)));

try {
  const upstream = await startUpstream();
  undo.add(upstream.stop);
  await upstream.setMode(mode);
  const generator = await startGenerator();
  undo.add(generator.stop);
  const folder = await mkdtemp(join(tmpdir(), 'tallyport-bench-'));
  undo.add(() => rm(folder, { recursive: true, force: true }));
  const gateway = await startGateway(upstream.port, options, {
    environment: {
      FILES_DIR: folder,
      DEEPSEEK_API_KEY: 'bench',
      DEEPSEEK_BASE_URL: `http://127.0.0.1:${upstream.port}/v1`,
    },
    replicas: { 'batch-svc': 1 },
  });
  undo.add(gateway.stop);

  const target = targetOf(gateway, mode);
  const run = (plan: { kind: 'closed'; connections: number } | { kind: 'rate'; perSecond: number }) =>
    generator.run({ ...plan, target, warmUpMs, measureMs }, { deadlineMs: 600_000, onMeasuring() {} });
  const batch = () =>
    startBatch({
      baseUrl: `http://127.0.0.1:${gateway.port}`,
      apiKey: (gateway.headers['authorization'] ?? '').slice('Bearer '.length),
      model: gateway.model,
      prompt,
      count: lines,
    });

  const liveBefore = perSecondOf(await run({ kind: 'closed', connections }));
  const alone = await runAlone(await batch(), gateway.pids);
  const live = (liveBefore + perSecondOf(await run({ kind: 'closed', connections }))) / 2;
  const share = alone.perSecond / live;
  printMeasure(`live requests a second, ${connections} at once`, live.toFixed(0));
  printMeasure(`lines a second of a batch of ${lines}`, alone.perSecond.toFixed(0));
  printMeasure('of live requests', share.toFixed(2), '≥ 0.8', share >= 0.8);
  const mib = alone.growthKib / 1_024;
  printMeasure('batch-svc: memory at the end above that at a fifth', `${mib.toFixed(1)} MiB`, '≤ 20 MiB', mib <= 20);

  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const without = (await run({ kind: 'rate', perSecond })).outsideMs.p99;
    const running = await batch();
    await running.reached(1);
    const beside = (await run({ kind: 'rate', perSecond })).outsideMs.p99;
    await running.cancel();
    printMeasure(`live p99 at ${perSecond}/s alone, beside a batch`, `${without.toFixed(1)}, ${beside.toFixed(1)} ms`);
    ratios.push(beside / without);
  }
  const ratio = median(ratios);
  printMeasure('live p99 beside a batch', `${ratio.toFixed(2)} ×`, '≤ 1.2 ×', ratio <= 1.2);
  console.log(`\n${JSON.stringify(describeMachine())}`);
} finally {
  await undo.all();
}

function perSecondOf({ requests, seconds }: LoadResult): number {
  return requests / seconds;
}

/** Runs a batch to its end while nothing else runs. */
async function runAlone(running: BatchRun, pids: Pids): Promise<{ perSecond: number; growthKib: number }> {
  const kib = (): number => privateKib(pids)['batch-svc'] ?? 0;
  const ended = running.ended();
  await running.reached(lines / 5);
  const before = kib();
  const { completed, seconds } = await ended;
  if (completed !== lines) throw new Error(`${completed} of ${lines} lines were answered.`);
  return { perSecond: completed / seconds, growthKib: kib() - before };
}
