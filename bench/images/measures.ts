import { setTimeout as pause } from 'node:timers/promises';
import { sum } from '../measure/cpu.ts';
import { privateKib, watchMemory } from '../measure/memory.ts';
import type { Quantiles } from '../measure/stats.ts';
import type { LoadPlan, LoadResult } from '../load/plan.ts';
import { targetAt } from '../load/target.ts';
import type { Road } from './road.ts';

const deadlineMs = 60_000;
const nothing = () => undefined;

const imagesAt = (road: Road, name: 'floor' | 'gateway') =>
  targetAt(road[name], '/v1/images/generations', JSON.stringify({ model: 'openai/gpt-image-2', prompt: 'A red fox' }));

const chatAt = ({ gateway }: Road) => {
  const messages = [{ role: 'user', content: 'Tell me of a red fox.' }];
  return targetAt(
    gateway,
    '/v1/chat/completions',
    JSON.stringify({ model: 'openai/gpt-4o-mini', messages, stream: true }),
  );
};

/** Throws when one of them failed: figures of half a load say nothing. */
async function loaded(running: Promise<LoadResult>): Promise<LoadResult> {
  const result = await running;
  if (result.failures > 0) throw new Error(`${result.failures} failed, the first with: ${result.firstFailure ?? ''}`);
  return result;
}

export function askForImages(
  road: Road,
  name: 'floor' | 'gateway',
  { connections, total }: { connections: number; total: number },
): Promise<LoadResult> {
  const plan: LoadPlan = { kind: 'count', target: imagesAt(road, name), connections, total };
  return loaded(road.imageLoad.run(plan, { deadlineMs, onMeasuring: nothing }));
}

export const heldBytes = ({ pids }: Road): number => sum(privateKib(pids)) * 1024;

const settleMs = 15_000;

/** Bytes at the peak of it, and the least that is held in the seconds after. */
export async function memoryOf(road: Road, load: () => Promise<unknown>): Promise<{ peak: number; settled: number }> {
  const watch = watchMemory(road.pids, 20);
  await load().finally(() => watch.stop());
  const { peakKib } = watch.stop();
  let settled = heldBytes(road);
  for (let waited = 0; waited < settleMs; waited += 500) {
    await pause(500);
    settled = Math.min(settled, heldBytes(road));
  }
  return { peak: peakKib * 1024, settled };
}

const measureMs = 6_000;

/** From the upstream to the client, per chunk, while so many images are on their way all the time. */
export async function streamBeside(road: Road, { imagesAtOnce = 0 } = {}): Promise<Quantiles> {
  await road.chats.setMode({ kind: 'stream', chunks: 0, intervalMs: 20 });
  let images: Promise<LoadResult> | undefined;
  const onMeasuring = () => {
    if (imagesAtOnce === 0) return;
    const plan: LoadPlan = {
      kind: 'closed',
      target: imagesAt(road, 'gateway'),
      connections: imagesAtOnce,
      warmUpMs: 0,
      measureMs,
    };
    images = loaded(road.imageLoad.run(plan, { deadlineMs, onMeasuring: nothing }));
  };
  const plan: LoadPlan = {
    kind: 'hold',
    target: chatAt(road),
    streams: 20,
    rampMs: 300,
    settleMs: 500,
    measureMs,
  };
  const { chunkMs } = await loaded(road.chatLoad.run(plan, { deadlineMs, onMeasuring }));
  await images;
  return chunkMs;
}
