import { setTimeout as pause } from 'node:timers/promises';
import { sum } from '../measure/cpu.ts';
import { privateKib, watchMemory } from '../measure/memory.ts';
import type { Quantiles } from '../measure/stats.ts';
import type { LoadPlan, LoadResult } from '../load/plan.ts';
import { targetAt } from '../load/target.ts';
import type { ImageBench } from './image-bench.ts';

const deadlineMs = 60_000;
const nothing = () => undefined;

const imagesAt = (bench: ImageBench, name: 'floor' | 'gateway') =>
  targetAt(bench[name], '/v1/images/generations', JSON.stringify({ model: 'openai/gpt-image-2', prompt: 'A red fox' }));

const chatAt = ({ gateway }: ImageBench) => {
  const messages = [{ role: 'user', content: 'Describe a red fox.' }];
  return targetAt(
    gateway,
    '/v1/chat/completions',
    JSON.stringify({ model: 'openai/gpt-6-luna', messages, stream: true }),
  );
};

/** Throws if a request failed, because figures of a partial load are meaningless. */
async function withoutFailures(running: Promise<LoadResult>): Promise<LoadResult> {
  const result = await running;
  if (result.failures > 0) throw new Error(`${result.failures} failed, first error: ${result.firstFailure ?? ''}`);
  return result;
}

export function askForImages(
  bench: ImageBench,
  name: 'floor' | 'gateway',
  { connections, total }: { connections: number; total: number },
): Promise<LoadResult> {
  const plan: LoadPlan = { kind: 'count', target: imagesAt(bench, name), connections, total };
  return withoutFailures(bench.imageLoad.run(plan, { deadlineMs, onMeasuring: nothing }));
}

const heldBytes = ({ pids }: ImageBench): number => sum(privateKib(pids)) * 1024;

const settleMs = 15_000;

/** Peak memory during the load, and the lowest value in the 15 seconds after it, in bytes. */
export async function memoryOf(
  bench: ImageBench,
  load: () => Promise<unknown>,
): Promise<{ peak: number; settled: number }> {
  const watch = watchMemory(bench.pids, 20);
  await load().finally(() => watch.stop());
  const { peakKib } = watch.stop();
  let settled = heldBytes(bench);
  for (let waited = 0; waited < settleMs; waited += 500) {
    await pause(500);
    settled = Math.min(settled, heldBytes(bench));
  }
  return { peak: peakKib * 1024, settled };
}

const measureMs = 6_000;

/** Time of a chunk from the upstream to the client, with `imagesAtOnce` concurrent image requests. */
export async function streamChunkTimes(bench: ImageBench, { imagesAtOnce = 0 } = {}): Promise<Quantiles> {
  await bench.chats.setMode({ kind: 'stream', chunks: 0, intervalMs: 20 });
  let images: Promise<LoadResult> | undefined;
  const onMeasuring = () => {
    if (imagesAtOnce === 0) return;
    const plan: LoadPlan = {
      kind: 'closed',
      target: imagesAt(bench, 'gateway'),
      connections: imagesAtOnce,
      warmUpMs: 0,
      measureMs,
    };
    images = withoutFailures(bench.imageLoad.run(plan, { deadlineMs, onMeasuring: nothing }));
  };
  const plan: LoadPlan = {
    kind: 'hold',
    target: chatAt(bench),
    streams: 20,
    rampMs: 300,
    settleMs: 500,
    measureMs,
  };
  const { chunkMs } = await withoutFailures(bench.chatLoad.run(plan, { deadlineMs, onMeasuring }));
  await images;
  return chunkMs;
}
