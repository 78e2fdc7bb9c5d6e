import { openStore, type Store } from '../../packages/store/src/index.ts';
import { startRedis } from '../../tests/support/servers.ts';
import { median } from '../measure/stats.ts';

/**
 * CPU cost of a command of the store in this process, with one Redis: one after another, and several at once as under
 * load. `nothing` is the cost of the measurement.
 */
const commands = 4_000;
const rounds = 9;
const ttlMs = 60_000;
const value = new Uint8Array(300);
const rule = { limit: 1_000_000_000, windowMs: ttlMs, wanted: 1 };

type Command = (store: Store) => Promise<unknown>;

const kinds: Readonly<Record<string, Command>> = {
  nothing: () => Promise.resolve(),
  get: (store) => store.get('value'),
  set: (store) => store.set('value', value, ttlMs),
  script: (store) => store.spend('window', rule),
};

async function costOf(run: () => Promise<unknown>, atOnce: number): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < commands; done += atOnce) await Promise.all(Array.from({ length: atOnce }, run));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / commands;
}

async function costs(store: Store, command: Command): Promise<string> {
  const columns: string[] = [];
  for (const atOnce of [1, 4, 16]) {
    const found: number[] = [];
    for (let round = 0; round < rounds; round += 1) found.push(await costOf(() => command(store), atOnce));
    columns.push(median(found.slice(2)).toFixed(1).padStart(10));
  }
  return columns.join('');
}

const redis = await startRedis();
const store = await openStore({ url: redis.url });
await store.set('value', value, ttlMs);
console.log('µs of CPU per command  one by one  4 at once 16 at once');
for (const [kind, command] of Object.entries(kinds)) console.log(kind.padEnd(22), await costs(store, command));
await store.close();
await redis.stop();
