import { randomBytes } from 'node:crypto';
import { hashKey, makeKey } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { createTestDatabase } from '@tallyport/database/testing';
import { fillPeople } from '../../bench/pages/fill-people.ts';
import { fillRecords } from '../../bench/pages/fill-records.ts';
import { openPostgres } from '../../packages/database/src/postgres.ts';
import { serviceNames } from '../../scripts/distributed/settings.ts';
import { startDistributed } from '../../scripts/distributed/start.ts';
import { startOneProcess } from '../gateway/one-process.ts';
import { type Owner, ownerEnvironment, signInOwner } from '../provider-keys/owner.ts';
import { startGatewayServers } from '../support/gateway-servers.ts';
import { type Neighbour, startNeighbour } from './neighbour.ts';
import { createTurnMeter } from './turns.ts';

/** A gateway with two accounts: the large one attacks, the other one chats. */
export interface Installation {
  neighbour: Neighbour;
  attacker: Attacker;
  /** The longest turn of the event loop of each process since the last call, in milliseconds of processor time. */
  longestTurns(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

/** An account with 10,000 keys and ninety days of usage. */
export interface Attacker {
  baseUrl: string;
  owner: Owner;
  adminKey: string;
  apiKey: string;
}

interface Running {
  baseUrl: string;
  pids: Readonly<Record<string, number>>;
  stop(): Promise<unknown>;
}

const environment = {
  ...ownerEnvironment,
  ALLOW_LOCAL_TARGETS: 'true',
};

/** All services in one process, with Postgres. */
export async function startOneInstallation(): Promise<Installation> {
  const database = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  return prepared(database.url, async (given) => {
    const settings = {
      ...given,
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
    };
    const running = await startOneProcess(settings);
    const stop = () => running.stop().then(database.drop);
    return { ...running, pids: { gateway: running.child.pid ?? 0 }, stop };
  });
}

/** Every service in a process of its own. */
export async function startSplitInstallation(): Promise<Installation> {
  const servers = await startGatewayServers();
  return prepared(servers.urls.DATABASE_URL, async (given) => {
    const running = await startDistributed({ servers: servers.urls, environment: given });
    const pids = Object.fromEntries(serviceNames.map((name) => [name, running.pids(name)[0] ?? 0]));
    return { baseUrl: running.baseUrl, pids, stop: () => running.stop().then(servers.stop) };
  });
}

async function prepared(
  url: string,
  start: (settings: Record<string, string>) => Promise<Running>,
): Promise<Installation> {
  const keys = await fill(url);
  const meter = await createTurnMeter();
  const { baseUrl, pids, stop } = await start({ ...environment, ...meter.environment });
  const neighbour = startNeighbour(baseUrl, keys.neighbour);
  const owner = await signInOwner(baseUrl);
  return {
    neighbour,
    attacker: { baseUrl, owner, adminKey: keys.admin, apiKey: keys.attack },
    longestTurns: () => meter.read(pids),
    async stop() {
      neighbour.stop();
      await stop();
      await meter.remove();
    },
  };
}

const usageRows = 10_000;
const auditEntries = 10_000;
/** For statements that write thousands of rows. */
const patienceMs = 120_000;
/** More than the 600 chats a minute that an account may send by default. */
const neighbourLimits = JSON.stringify({ requestsPerMinute: { chat: 100_000 } });

async function fill(url: string): Promise<{ admin: string; attack: string; neighbour: string }> {
  const limits = { statementTimeoutMs: patienceMs, holdTimeoutMs: patienceMs, lockTimeoutMs: patienceMs };
  const database = openPostgres(url, console.error, limits);
  const { kysely } = database;
  try {
    await fillPeople(kysely, auditEntries);
    await fillRecords(database, { rows: usageRows, days: 90, now: new Date() });
    // An account has at most 1,000 keys that work, and any number that are revoked.
    await sql`update api_keys set revoked_at = now() where id like 'key_bench_9%'`.execute(kysely);
    await sql`insert into api_keys (id, account_id, name, prefix, key_hash, revoked_at)
      select 'key_many_' || n, 'default', 'one of many ' || n, 'sk-tp-' || n, encode(sha256(('many' || n)::bytea), 'hex'), now()
      from generate_series(1, 10000) as n`.execute(kysely);
    await sql`update accounts set limits = ${neighbourLimits} where id = 'account_0'`.execute(kysely);
    const keys = { admin: makeKey(), attack: makeKey(), neighbour: makeKey() };
    await kysely
      .insertInto('api_keys')
      .values(
        Object.entries(keys).map(([name, key]) => ({
          id: `key_of_${name}`,
          account_id: name === 'neighbour' ? 'account_0' : 'default',
          name,
          prefix: 'sk-tp-',
          key_hash: hashKey(key),
          is_admin: name === 'admin',
          ...(name === 'neighbour' && { limits: neighbourLimits }),
        })),
      )
      .execute();
    return keys;
  } finally {
    await database.close();
  }
}
