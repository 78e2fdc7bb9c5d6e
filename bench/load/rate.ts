import type { Connection } from './connection.ts';
import { openConnection, readBytes } from './connection.ts';
import type { LoadPlan, LoadResult } from './plan.ts';
import type { Recorder } from './recorder.ts';
import { createRecorder } from './recorder.ts';

type RatePlan = Extract<LoadPlan, { kind: 'rate' }>;

/** With more open connections the system does not keep up; further requests would only measure the queue. */
const mostConnections = 256;

/** Sends requests on schedule, whether or not earlier ones are answered, each on a free connection. */
export async function runRate(plan: RatePlan, onMeasuring: () => void): Promise<LoadResult> {
  const recorder = createRecorder();
  const pool = createPool(plan, recorder);
  await sendOnSchedule(plan, { pool, milliseconds: plan.warmUpMs });
  recorder.begin();
  onMeasuring();
  await sendOnSchedule(plan, { pool, milliseconds: plan.measureMs });
  const result = recorder.result();
  pool.close();
  return result;
}

interface Pool {
  send(): void;
  close(): void;
}

function sendOnSchedule(plan: RatePlan, { pool, milliseconds }: { pool: Pool; milliseconds: number }): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const elapsed = performance.now() - startedAt;
    for (const due = (Math.min(elapsed, milliseconds) * plan.perSecond) / 1e3; sent < due; sent++) pool.send();
    if (elapsed < milliseconds) return;
    clearInterval(timer);
    resolve();
  }, 1);
  return promise;
}

function createPool({ target }: RatePlan, recorder: Recorder): Pool {
  const all = new Set<Connection>();
  const free: Connection[] = [];
  const shared = Buffer.allocUnsafe(readBytes);

  function open(): Connection {
    const connection = openConnection({
      target,
      recorder,
      shared,
      onAnswer: () => void free.push(connection),
      onClose: () => forget(connection),
    });
    all.add(connection);
    return connection;
  }

  function forget(connection: Connection): void {
    all.delete(connection);
    const index = free.indexOf(connection);
    if (index >= 0) free.splice(index, 1);
  }

  return {
    send() {
      if (free.length === 0 && all.size >= mostConnections)
        return recorder.failed('all connections wait for an answer');
      (free.pop() ?? open()).send();
    },
    close() {
      for (const connection of all) connection.close();
    },
  };
}
