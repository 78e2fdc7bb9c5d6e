import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@switchyard/database';
import { sandboxProviders, type Simulator, startSimulator } from '@switchyard/simulator';
import { openStore, type Store } from '@switchyard/store';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { forgetfulRouting } from '../../packages/upstreams/src/testing/index.ts';
import { startNats, startPostgres, startRedis, type TestServer } from '../support/servers.ts';

/** Every service as processes over real servers, with simulated vendors that remember what they would bill. */
export interface MoneySystem {
  gateway: Distributed;
  simulator: Simulator;
  servers: { nats: TestServer; redis: TestServer; postgres: TestServer };
  database: Database;
  store: Store;
  stop(): Promise<void>;
}

/** USD for a token, so that every sum shows how many there were. */
export const prices = { prompt: '0.000001', completion: '0.001' };

/** What was set aside by a process that was killed comes back this long after, at the latest. */
export const requestMs = 10_000;

export interface MoneyOptions {
  environment?: Readonly<Record<string, string>>;
  /** Besides the sandbox, as in `switchyard.yaml`. */
  providers?: object;
  models?: object;
}

export async function startMoneySystem(options: MoneyOptions = {}): Promise<MoneySystem> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const each of undo.splice(0).toReversed()) await each();
  };
  try {
    return { ...(await start(undo, options)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  undo: (() => Promise<unknown>)[],
  { environment, providers = {}, models }: MoneyOptions,
): Promise<Omit<MoneySystem, 'stop'>> {
  const [nats, redis, postgres] = await Promise.all([startNats(), startRedis(), startPostgres()]);
  const servers = { nats, redis, postgres };
  undo.push(() => Promise.all(Object.values(servers).map((server) => server.stop())));
  const simulator = await startSimulator({ chunksPerSecond: 200, maxRecorded: 1_000_000 });
  undo.push(simulator.close);
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-money-'));
  undo.push(() => rm(folder, { recursive: true }));
  await writeFile(
    join(folder, 'switchyard.yaml'),
    JSON.stringify({ providers, models: { ...pricedModel(), ...models } }),
  );
  const gateway = await startDistributed({
    servers: { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url },
    replicas: { 'chat-svc': 2, 'mcp-svc': 0, 'image-svc': 0 },
    sandboxUrl: simulator.url,
    environment: {
      ...forgetfulRouting,
      REQUEST_TIMEOUT_MS: String(requestMs),
      LIMIT_CHAT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      SWITCHYARD_CONFIG: join(folder, 'switchyard.yaml'),
      USAGE_SPILL_DIR: join(folder, 'spill'),
      ...environment,
    },
  });
  undo.push(gateway.stop);
  const database = await openDatabase({ url: postgres.url });
  undo.push(database.close);
  const store = await openStore({ url: redis.url });
  undo.push(store.close);
  await setBudget(database);
  return { gateway, simulator, servers, database, store };
}

/** Large enough for everything: it is there to be reserved from. */
const setBudget = ({ kysely }: Database) =>
  kysely
    .updateTable('accounts')
    .set({ budget: JSON.stringify({ amount: '100000', period: 'total' }) })
    .execute();

const pricedModel = (): object => {
  const offers = sandboxProviders.map(({ id }) => [id, { pricing: prices }]);
  return { 'sandbox-chat': { offers: Object.fromEntries(offers) } };
};

export const newMark = (): string => `mark-${randomUUID()}`;
