import { setTimeout as pause } from 'node:timers/promises';
import { openStore, type Store } from '../../packages/store/src/index.ts';
import { redisCommand } from '../../packages/store/src/testing/redis-command.ts';
import { startRedis } from '../../tests/support/servers.ts';
import type { Undo } from '../support/undo.ts';

/** A Redis of its own, and connections to it. */
interface MeteredRedis {
  /** One of a few connections, for replicas to share in turn. */
  store(replica: number): Store;
  /** Microseconds of CPU that Redis needs for each script of this work, reading and writing sockets included. */
  microsPerScript(work: () => Promise<unknown>): Promise<number>;
  /** The number of scripts that Redis runs for the work. */
  scriptsOf(work: () => Promise<unknown>): Promise<number>;
}

const connections = 20;
/** Redis and the connections to it need some time without any load, which is subtracted. */
const idleMs = 2_000;

export async function startMeteredRedis(undo: Undo): Promise<MeteredRedis> {
  const redis = await startRedis();
  undo.add(redis.stop);
  const stores = await Promise.all(Array.from({ length: connections }, () => openStore({ url: redis.url })));
  undo.add(async () => void (await Promise.all(stores.map((store) => store.close()))));
  async function read(): Promise<{ micros: number; scripts: number }> {
    const text = String(await redisCommand(redis.url, ['INFO', 'everything']));
    const figure = (pattern: string): number => Number(new RegExp(pattern).exec(text)?.[1] ?? 0);
    const seconds = figure('used_cpu_sys_main_thread:([0-9.]+)') + figure('used_cpu_user_main_thread:([0-9.]+)');
    return { micros: seconds * 1e6, scripts: figure('cmdstat_evalsha:calls=([0-9]+)') };
  }
  const [first, at] = [await read(), performance.now()];
  await pause(idleMs);
  const idlePerMs = ((await read()).micros - first.micros) / (performance.now() - at);
  async function measure(work: () => Promise<unknown>): Promise<{ micros: number; scripts: number }> {
    const [before, startedAt] = [await read(), performance.now()];
    await work();
    const [after, tookMs] = [await read(), performance.now() - startedAt];
    return { micros: after.micros - before.micros - idlePerMs * tookMs, scripts: after.scripts - before.scripts };
  }
  return {
    store: (replica) => stores[replica % connections] as Store,
    async microsPerScript(work) {
      const { micros, scripts } = await measure(work);
      return micros / scripts;
    },
    scriptsOf: async (work) => (await measure(work)).scripts,
  };
}

const mostAtOnce = 10;

/** Runs a task for each replica so many times, a few replicas at once. */
export async function inTurn(
  { replicas, rounds }: { replicas: number; rounds: number },
  task: (replica: number) => Promise<unknown>,
): Promise<void> {
  const atOnce = Math.min(mostAtOnce, replicas);
  const count = replicas * rounds;
  for (let from = 0; from < count; from += atOnce)
    await Promise.all(
      Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => task((from + index) % replicas)),
    );
}
