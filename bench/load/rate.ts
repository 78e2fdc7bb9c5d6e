import type { Connection } from './connection.ts';
import { openConnection, readBytes } from './connection.ts';
import type { LoadPlan, LoadResult } from './plan.ts';
import type { Recorder } from './recorder.ts';
import { createRecorder } from './recorder.ts';

type Rate = Extract<LoadPlan, { kind: 'rate' }>;

/** More open at once means that the other side does not keep up; asking on would only measure the queue. */
const mostConnections = 256;

/** Asks on time whether or not earlier questions are answered, each on a connection that is free. */
export async function runRate(plan: Rate, onMeasuring: () => void): Promise<LoadResult> {
  const recorder = createRecorder();
  const pool = createPool(plan, recorder);
  await askOnTime(plan, { pool, milliseconds: plan.warmUpMs });
  recorder.begin();
  onMeasuring();
  await askOnTime(plan, { pool, milliseconds: plan.measureMs });
  const result = recorder.result();
  pool.close();
  return result;
}

interface Pool {
  ask(): void;
  close(): void;
}

function askOnTime(plan: Rate, { pool, milliseconds }: { pool: Pool; milliseconds: number }): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const startedAt = performance.now();
  let asked = 0;
  const timer = setInterval(() => {
    const elapsed = performance.now() - startedAt;
    for (const due = (Math.min(elapsed, milliseconds) * plan.perSecond) / 1e3; asked < due; asked++) pool.ask();
    if (elapsed < milliseconds) return;
    clearInterval(timer);
    resolve();
  }, 1);
  return promise;
}

function createPool({ target }: Rate, recorder: Recorder): Pool {
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
    ask() {
      if (free.length === 0 && all.size >= mostConnections)
        return recorder.failed('all connections wait for an answer');
      (free.pop() ?? open()).ask();
    },
    close() {
      for (const connection of all) connection.leave();
    },
  };
}
