import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@tallyport/database';
import { createTroubledDatabase, type TroubledDatabase } from '@tallyport/database/testing';
import { sandboxProviders, type SimulatedVendors, startSimulator } from '@tallyport/simulator';
import { openStore, type Store } from '@tallyport/store';
import { type Distributed, type DistributedOptions, startDistributed } from '../../scripts/distributed/start.ts';
import { markIn } from './mark.ts';
import { forgetfulRouting } from '../../packages/serving/src/upstreams/testing/index.ts';
import { startNats, startPostgres, startRedis, type TestServer } from '../support/servers.ts';

/** All services as processes over real servers, with simulated vendors that record their bills. */
export interface MoneySystem {
  gateway: Distributed;
  simulator: SimulatedVendors;
  servers: { nats: TestServer; redis: TestServer; postgres: TestServer };
  database: Database;
  /** Control over faults of the same database. */
  troubled: TroubledDatabase;
  store: Store;
  stop(): Promise<void>;
}

/** USD per token, chosen so that a sum shows the number of tokens. */
const prices = { prompt: '0.000001', completion: '0.001' };
const tiers = { flex: { factor: '0.5' }, priority: { factor: '2' } };

/** The same as a vendor's price list, per million tokens. */
const billed = {
  tokens: { input: '1', output: '1000', reasoning: '1000' },
  tiers: { flex: '0.5', priority: '2' },
};

/** Request timeout, after which the reservations of a killed process are free. */
const requestMs = 10_000;

interface MoneyOptions {
  environment?: Readonly<Record<string, string>>;
  /** Providers in addition to the sandbox, as in `tallyport.yaml`. */
  providers?: object;
  models?: object;
  /** Default: two of chat-svc, none of mcp-svc and image-svc. */
  replicas?: DistributedOptions['replicas'];
  /** Receives each line the processes print. */
  onLine?: DistributedOptions['onLine'];
  /** Runs the servers as local processes instead of containers, so that they can be stopped by their pid. */
  serversAreProcesses?: boolean;
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
  { environment, providers = {}, models, replicas, onLine, serversAreProcesses = false }: MoneyOptions,
): Promise<Omit<MoneySystem, 'stop'>> {
  const place = serversAreProcesses ? { args: [] } : {};
  const [nats, redis, postgres] = await Promise.all([startNats(place), startRedis(place), startPostgres(place)]);
  const servers = { nats, redis, postgres };
  undo.push(() => Promise.all(Object.values(servers).map((server) => server.stop())));
  const troubled = await createTroubledDatabase(postgres.url);
  const simulator = await startSimulator({
    chunksPerSecond: 200,
    maxRecorded: 1_000_000,
    maxRecordedBodyBytes: 0,
    labelOf: markIn,
    prices: Object.fromEntries(sandboxProviders.map(({ id }) => [id, { 'sandbox-chat': billed }])),
  });
  undo.push(simulator.close);
  const folder = await mkdtemp(join(tmpdir(), 'tallyport-money-'));
  undo.push(() => rm(folder, { recursive: true }));
  await writeFile(
    join(folder, 'tallyport.yaml'),
    JSON.stringify({ providers, models: { ...pricedModel(), ...models } }),
  );
  const gateway = await startDistributed({
    servers: { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: troubled.url },
    replicas: { 'chat-svc': 2, 'console-svc': 0, 'mcp-svc': 0, 'image-svc': 0, ...replicas },
    sandboxUrl: simulator.url,
    ...(onLine && { onLine }),
    environment: {
      ...forgetfulRouting,
      ...vendorsOf(simulator),
      REQUEST_TIMEOUT_MS: String(requestMs),
      LIMIT_CHAT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      TALLYPORT_CONFIG: join(folder, 'tallyport.yaml'),
      USAGE_SPILL_DIR: join(folder, 'spill'),
      ...environment,
    },
  });
  undo.push(gateway.stop);
  // The books of an hour are read at once.
  const database = await openDatabase({ url: troubled.url, postgres: { statementTimeoutMs: 120_000 } });
  undo.push(database.close);
  const store = await openStore({ url: redis.url });
  undo.push(store.close);
  await setBudget(database);
  return { gateway, simulator, servers, database, troubled, store };
}

/** Sets a budget that is never used up, so that requests make reservations. */
const setBudget = ({ kysely }: Database) =>
  kysely
    .updateTable('accounts')
    .set({ budget: JSON.stringify({ amount: '100000', period: 'total' }) })
    .execute();

/** Vendors with published prices, which the catalogue must have too. */
const vendorsOf = ({ baseUrl }: SimulatedVendors): Record<string, string> => ({
  ANTHROPIC_API_KEY: 'key-at-anthropic',
  ANTHROPIC_BASE_URL: baseUrl('anthropic'),
  GEMINI_API_KEY: 'key-at-google',
  GEMINI_BASE_URL: `${baseUrl('google')}/v1beta`,
  MISTRAL_API_KEY: 'key-at-mistral',
  MISTRAL_BASE_URL: baseUrl('mistral'),
  OPENAI_API_KEY: 'key-at-openai',
  OPENAI_BASE_URL: baseUrl('openai'),
  XAI_API_KEY: 'key-at-xai',
  XAI_BASE_URL: baseUrl('xai'),
});

const pricedModel = (): object => {
  const offers = sandboxProviders.map(({ id }) => [id, { pricing: prices, tiers }]);
  return { 'sandbox-chat': { offers: Object.fromEntries(offers) } };
};
