import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { openConnection, readBytes } from './connection.ts';
import type { LoadPlan, LoadResult, Target } from './plan.ts';
import { createRecorder } from './recorder.ts';

type ClosedPlan = Extract<LoadPlan, { kind: 'closed' }>;
type CountPlan = Extract<LoadPlan, { kind: 'count' }>;

/** Each connection sends the next request as soon as it has its answer, until the time is over. */
export async function runClosed(plan: ClosedPlan, onMeasuring: () => void): Promise<LoadResult> {
  const recorder = createRecorder();
  const connections = openConnections({ ...plan, recorder, more: () => true });
  await wait(plan.warmUpMs);
  recorder.begin();
  onMeasuring();
  await wait(plan.measureMs);
  const result = recorder.result();
  for (const connection of connections) connection.close();
  return result;
}

/** The same for a number of requests. Resolves when the last one is answered or all connections are closed. */
export async function runCount(plan: CountPlan, onMeasuring: () => void): Promise<LoadResult> {
  const recorder = createRecorder();
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  let sent = Math.min(plan.connections, plan.total);
  let running = sent;
  recorder.begin();
  onMeasuring();
  const connections = openConnections({
    target: plan.target,
    connections: sent,
    recorder,
    more: () => sent++ < plan.total,
    onIdle: () => --running === 0 && resolve(),
  });
  await finished;
  const result = recorder.result();
  for (const connection of connections) connection.close();
  return result;
}

interface ConnectionLoop {
  target: Target;
  connections: number;
  recorder: ReturnType<typeof createRecorder>;
  more: () => boolean;
  /** Called when a connection has no more requests to send, or was closed. */
  onIdle?: () => void;
}

function openConnections({ target, connections, recorder, more, onIdle }: ConnectionLoop): Connection[] {
  const shared = Buffer.allocUnsafe(readBytes);
  return Array.from({ length: connections }, () => {
    let idle = false;
    const becomeIdle = (): void => {
      if (!idle) onIdle?.();
      idle = true;
    };
    const connection = openConnection({
      target,
      recorder,
      shared,
      onAnswer: () => (more() ? connection.send() : becomeIdle()),
      onClose: becomeIdle,
    });
    connection.send();
    return connection;
  });
}
