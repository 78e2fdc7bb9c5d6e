import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, waitUntil } from '../../../../tests/support/probe.ts';
import { startProcessServer } from '../../../../tests/support/process-server.ts';
import { redis } from '../../../../tests/support/redis.ts';
import { programsOf, type TestServer } from '../../../../tests/support/servers.ts';
import { redisCommand } from './redis-command.ts';

/** Three primaries with a third of the slots each, and a replica of each, which takes over within a few seconds. */
export interface RedisCluster {
  /** Names the first two nodes. */
  url: string;
  /** Three primaries, then their replicas in the same order. */
  nodes: readonly TestServer[];
  /** The node that has the slot of a key now. */
  primaryOf(key: string): Promise<TestServer>;
  stop(): Promise<void>;
}

const slots = 16_384;
const primaries = 3;
const settings = {
  'cluster-node-timeout': '1000',
  // A replica takes over whenever its primary is away, and follows no other one.
  'cluster-replica-validity-factor': '0',
  'cluster-allow-replica-migration': 'no',
  'repl-diskless-sync-delay': '0',
};

/** Its nodes know each other from the start: to make them meet takes ten seconds. */
export async function startRedisCluster(changes: Readonly<Record<string, string>> = {}): Promise<RedisCluster> {
  const places = await Promise.all(Array.from({ length: 2 * primaries }, placeNode));
  const options = Object.entries({ ...settings, ...changes }).flatMap(([name, value]) => [`--${name}`, value]);
  const programs = await programsOf(redis);
  const started = await Promise.allSettled(places.map((place) => startNode(place, { places, programs, options })));
  const nodes = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    if (nodes.length < places.length) throw new Error('A node of the cluster did not start.');
    const check = async () => (await Promise.all(nodes.map(isComplete))).every(Boolean);
    await waitUntil('the nodes to form a cluster', check, { everyMs: 50 });
  } catch (error) {
    await stop();
    throw error;
  }
  const hosts = nodes.slice(0, 2).map(({ url }) => new URL(url).host);
  return { url: `redis+cluster://${hosts.join(',')}`, nodes, primaryOf: (key) => primaryOf(nodes, key), stop };
}

interface Place {
  id: string;
  port: number;
  busPort: number;
}

const placeNode = async (): Promise<Place> => ({
  id: randomBytes(20).toString('hex'),
  port: await freePort(),
  busPort: await freePort(),
});

interface Formation {
  places: readonly Place[];
  programs: readonly string[];
  options: readonly string[];
}

async function startNode(place: Place, { places, programs, options }: Formation): Promise<TestServer> {
  const known = places.map((each, index) => nodeLine(each, index, { places, isSelf: each === place }));
  const file = [...known, `vars currentEpoch ${primaries} lastVoteEpoch 0`, ''].join('\n');
  const recipe = {
    ...redis,
    prepare: (_programs: readonly string[], directory: string) => writeFile(join(directory, 'nodes.conf'), file),
  };
  const args = ['--cluster-enabled', 'yes', '--cluster-port', String(place.busPort), ...options];
  return startProcessServer(recipe, programs, { port: place.port, args });
}

/** A line of a node's own file about its cluster. */
function nodeLine(place: Place, index: number, { places, isSelf }: { places: readonly Place[]; isSelf: boolean }) {
  const leader = index % primaries;
  const isPrimary = index < primaries;
  const [from = 0, to = 0] = [leader, leader + 1].map((edge) => Math.floor((edge * slots) / primaries));
  return [
    place.id,
    `127.0.0.1:${place.port}@${place.busPort}`,
    `${isSelf ? 'myself,' : ''}${isPrimary ? 'master -' : `slave ${places[leader]?.id}`}`,
    `0 0 ${leader + 1} connected`,
    ...(isPrimary ? [`${from}-${to - 1}`] : []),
  ].join(' ');
}

/** It serves its keys, and has caught up if it is a replica. */
async function isComplete({ url }: TestServer): Promise<boolean> {
  const replication = String(await redisCommand(url, ['INFO', 'replication']));
  const isLinked = /connected_slaves:1|master_link_status:up/.test(replication);
  return isLinked && String(await cluster(url, 'INFO')).includes('cluster_state:ok');
}

/** Sends a CLUSTER command to one node. */
export const cluster = (url: string, ...words: readonly string[]): Promise<unknown> =>
  redisCommand(url, ['CLUSTER', ...words]);

/** The one that answers for the key itself; nodes that do not answer are left out. */
async function primaryOf(nodes: readonly TestServer[], key: string): Promise<TestServer> {
  const answers = nodes.map((node) => redisCommand(node.url, ['GET', key]).then(() => node));
  return Promise.any(answers);
}

/** Steps of moving one slot, as `redis-cli --cluster reshard` takes them. */
interface Move {
  /** Keys that the source does not have are asked for at the target. */
  begin(): Promise<void>;
  /** Hands over the keys. */
  migrate(): Promise<void>;
  /** Makes the target the owner. */
  end(): Promise<void>;
}

export async function moveSlot(slot: number, from: TestServer, to: TestServer): Promise<Move> {
  const [source, target] = await Promise.all([from, to].map(async ({ url }) => String(await cluster(url, 'MYID'))));
  const { port } = new URL(to.url);
  const change = (node: TestServer, ...words: readonly string[]) =>
    cluster(node.url, 'SETSLOT', String(slot), ...words);
  return {
    async begin() {
      await change(to, 'IMPORTING', source ?? '');
      await change(from, 'MIGRATING', target ?? '');
    },
    async migrate() {
      const keys = await cluster(from.url, 'GETKEYSINSLOT', String(slot), '1000');
      for (const key of Array.isArray(keys) ? keys : []) {
        await redisCommand(from.url, ['MIGRATE', '127.0.0.1', port, String(key), '0', '5000']);
      }
    },
    async end() {
      await change(to, 'NODE', target ?? '');
      await change(from, 'NODE', target ?? '');
    },
  };
}
