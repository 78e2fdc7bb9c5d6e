import { setTimeout as wait } from 'node:timers/promises';
import { microseconds } from '../measure/clock.ts';
import type { Connection } from './connection.ts';
import { openConnection, readBytes } from './connection.ts';
import type { LoadPlan, LoadResult } from './plan.ts';
import type { Recorder } from './recorder.ts';
import { createRecorder } from './recorder.ts';

type Hold = Extract<LoadPlan, { kind: 'hold' }>;

const stepMs = 10;
/** How long the last streams may take to bring their first chunk. */
const openWithinMs = 20_000;

/** Opens streams little by little, keeps them while it measures, and leaves all of them at once. */
export async function runHold(plan: Hold, onMeasuring: () => void): Promise<LoadResult> {
  const recorder = createRecorder();
  const connections = await openAll(plan, recorder);
  await wait(plan.settleMs);
  recorder.begin();
  onMeasuring();
  await wait(plan.measureMs);
  const result = recorder.result();
  const leftAt = microseconds();
  for (const connection of connections) connection.leave();
  return { ...result, leftAt };
}

async function openAll(plan: Hold, recorder: Recorder): Promise<Connection[]> {
  const connections: Connection[] = [];
  const shared = Buffer.allocUnsafe(readBytes);
  let running = 0;
  const startedAt = performance.now();
  while (connections.length < plan.streams) {
    const share = Math.min(1, (performance.now() - startedAt + stepMs) / plan.rampMs);
    while (connections.length < plan.streams * share) connections.push(open());
    await wait(stepMs);
  }
  const deadline = performance.now() + openWithinMs;
  while (running < plan.streams && performance.now() < deadline) await wait(stepMs);
  if (running < plan.streams) recorder.failed(`${plan.streams - running} streams brought no chunk`);
  return connections;

  function open(): Connection {
    const connection = openConnection({
      target: plan.target,
      recorder,
      shared,
      onFirstChunk: () => running++,
      onAnswer: () => recorder.failed('a stream ended that should have gone on'),
      onClose: () => undefined,
    });
    connection.ask();
    return connection;
  }
}
