import { setTimeout as wait } from 'node:timers/promises';
import { microseconds } from '../measure/clock.ts';
import type { Connection } from './connection.ts';
import { openConnection, readBytes } from './connection.ts';
import type { LoadPlan, LoadResult } from './plan.ts';
import type { Recorder } from './recorder.ts';
import { createRecorder } from './recorder.ts';

type HoldPlan = Extract<LoadPlan, { kind: 'hold' }>;

const stepMs = 10;
/** Time for the last streams to deliver their first chunk. */
const openWithinMs = 20_000;

/** Opens streams gradually, keeps them open while measuring, and closes all of them at once. */
export async function runHold(plan: HoldPlan, onMeasuring: () => void): Promise<LoadResult> {
  const recorder = createRecorder();
  const connections = await openAll(plan, recorder);
  await wait(plan.settleMs);
  recorder.begin();
  onMeasuring();
  await wait(plan.measureMs);
  const result = recorder.result();
  const leftAt = microseconds();
  for (const connection of connections) connection.close();
  return { ...result, leftAt };
}

async function openAll(plan: HoldPlan, recorder: Recorder): Promise<Connection[]> {
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
  if (running < plan.streams) recorder.failed(`${plan.streams - running} streams delivered no chunk`);
  return connections;

  function open(): Connection {
    const connection = openConnection({
      target: plan.target,
      recorder,
      shared,
      onFirstChunk: () => running++,
      onAnswer: () => recorder.failed('a stream ended early'),
      onClose: () => undefined,
    });
    connection.send();
    return connection;
  }
}
