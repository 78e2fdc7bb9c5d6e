import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { openConnection, readBytes } from './connection.ts';
import type { LoadPlan, LoadResult, Target } from './plan.ts';
import { createRecorder } from './recorder.ts';

type Closed = Extract<LoadPlan, { kind: 'closed' }>;
type Count = Extract<LoadPlan, { kind: 'count' }>;

/** Every connection asks again as soon as it is answered, until the time is over. */
export async function runClosed(plan: Closed, onMeasuring: () => void): Promise<LoadResult> {
  const recorder = createRecorder();
  const connections = askAlways({ ...plan, recorder, more: () => true });
  await wait(plan.warmUpMs);
  recorder.begin();
  onMeasuring();
  await wait(plan.measureMs);
  const result = recorder.result();
  for (const connection of connections) connection.leave();
  return result;
}

/** The same for a number of requests; resolves when the last is answered or every connection is gone. */
export async function runCount(plan: Count, onMeasuring: () => void): Promise<LoadResult> {
  const recorder = createRecorder();
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  let asked = Math.min(plan.connections, plan.total);
  let running = asked;
  recorder.begin();
  onMeasuring();
  const connections = askAlways({
    target: plan.target,
    connections: asked,
    recorder,
    more: () => asked++ < plan.total,
    onIdle: () => --running === 0 && resolve(),
  });
  await finished;
  const result = recorder.result();
  for (const connection of connections) connection.leave();
  return result;
}

interface AskAlways {
  target: Target;
  connections: number;
  recorder: ReturnType<typeof createRecorder>;
  more: () => boolean;
  /** A connection has nothing more to ask, or cannot. */
  onIdle?: () => void;
}

function askAlways({ target, connections, recorder, more, onIdle }: AskAlways): Connection[] {
  const shared = Buffer.allocUnsafe(readBytes);
  return Array.from({ length: connections }, () => {
    let idle = false;
    const rest = (): void => {
      if (!idle) onIdle?.();
      idle = true;
    };
    const connection = openConnection({
      target,
      recorder,
      shared,
      onAnswer: () => (more() ? connection.ask() : rest()),
      onClose: rest,
    });
    connection.ask();
    return connection;
  });
}
