import { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from './address.ts';
import { gatherWrites } from './gather-writes.ts';
import { scripts } from './scripts.ts';

export type RedisClient = Cluster | Redis;

const connectLimitMs = 1_000;
const sentinelLimitMs = 500;
const shortestPauseMs = 50;
const longestPauseMs = 2_000;

/** Nothing is sent again: the caller has fallen back by then. */
const connection = {
  connectTimeout: connectLimitMs,
  disconnectTimeout: 500,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // The library does not handle the rejection of its own SUBSCRIBE, which would end the process.
  autoResubscribe: false,
};

/** Connects, and reconnects until it is closed. */
export function createRedisClient(address: RedisAddress): RedisClient {
  return address.kind === 'cluster' ? clusterClient(address) : serverClient(address);
}

function serverClient(address: Exclude<RedisAddress, { kind: 'cluster' }>): Redis {
  const client = new Redis({
    ...connection,
    ...accessTo(address),
    ...(address.kind === 'server' ? { ...address.server, enableReadyCheck: false } : byWayOf(address)),
    db: address.database,
    enableOfflineQueue: false,
    retryStrategy: pauseMs,
    scripts,
  });
  gatherWrites(client);
  return client;
}

/** The library checks that the server is a primary before it is used, and leaves it when it no longer is. */
function byWayOf({ sentinels, primary, tls }: Extract<RedisAddress, { kind: 'sentinel' }>) {
  return {
    sentinels: [...sentinels],
    name: primary,
    updateSentinels: false,
    sentinelCommandTimeout: sentinelLimitMs,
    sentinelRetryStrategy: pauseMs,
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
    ...(tls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

function clusterClient(address: Extract<RedisAddress, { kind: 'cluster' }>): Cluster {
  const client = new Cluster([...address.nodes], {
    scripts,
    clusterRetryStrategy: pauseMs,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    enableReadyCheck: false,
    // A message takes the way of a value: to the node that has its channel, in order.
    shardedSubscribers: true,
    // Host names stay, because certificates have them.
    dnsLookup: (host, found) => found(null, host),
    redisOptions: { ...connection, ...accessTo(address), enableReadyCheck: false },
  });
  client.on('+node', (node: Redis) => {
    gatherWrites(node);
    handleAsking(node);
  });
  return client;
}

/** The library sends ASKING without handling its rejection, which would end the process. */
function handleAsking(node: Redis): void {
  const asking = node.asking.bind(node);
  node.asking = () => asking().catch((): 'OK' => 'OK');
}

const accessTo = ({ username, password, tls }: RedisAddress) => ({ username, password, ...(tls && { tls: {} }) });

function pauseMs(attempts: number): number {
  const longest = Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.min(attempts - 1, 10));
  return longest * (0.5 + Math.random() / 2);
}
