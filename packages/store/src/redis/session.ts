import { withDeadline } from '../deadline.ts';
import type { StoreEvent, StoreState } from '../store.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { RedisAddress } from './address.ts';
import { type Channels, channelsOf } from './channels.ts';
import { createRedisClient, type RedisClient } from './client.ts';
import { createProbe } from './probe.ts';
import { createQueueLimit } from './queue-limit.ts';
import { createServerGuards } from './server-guards.ts';
import { createSubscriber } from './subscriber.ts';
import { type Topology, topologyOf } from './topology.ts';
import { explain, watchTrouble } from './trouble.ts';
import { watchConnection } from './watch.ts';

/** Combines the client, breakers, subscriptions and state that the operations run on. */
export interface Session {
  /** Resolves to `undefined` when disconnected, late, refused by the breaker, or failed. */
  run<Result>(key: string, command: Command<Result>, bytes?: number): Promise<Result | undefined>;
  channels: Channels;
  /** Updates the server's subscriptions after a change. */
  sync(): void;
  state(): StoreState;
  ping(timeoutMs: number): Promise<StoreState>;
  /** Resolves when the first attempt to connect to all servers has succeeded or failed. */
  firstAttempt: Promise<void>;
  close(): Promise<void>;
}

export type Command<Result> = (client: RedisClient) => Promise<Result>;

interface SessionOptions {
  address: RedisAddress;
  /** Prefix of every key and channel. */
  prefix: string;
  subscriptions: Subscriptions;
  report: (event: StoreEvent) => void;
}

const commandLimitMs = 500;
const beatMs = 1_000;
const openingLimitMs = 4_000;
const closingGraceMs = 500;

export function openSession({ address, prefix, subscriptions, report }: SessionOptions): Session {
  const trouble = watchTrouble(report);
  const client = createRedisClient(address);
  const topology = topologyOf(client);
  const channels = channelsOf(client);
  const queue = createQueueLimit();
  const subscriber = createSubscriber({ channels, prefix: `${prefix}channel:`, subscriptions, report });
  const attempt = Promise.withResolvers<void>();
  let closed = false;
  const isReady = () => client.status === 'ready' && !closed;

  const guards = createServerGuards({
    limitMs: commandLimitMs,
    probe: createProbe({ client, topology, prefix, isReady }),
    // While there is no connection, the reason is why.
    onOpen: (cause) => isReady() && trouble.away(cause),
    onClose: () => isReady() && trouble.back(),
    onDead: topology.drop,
    onSwallowed: trouble.swallowed,
  });

  watchConnection(client, {
    onReady() {
      // The server has just answered a handshake.
      guards.close();
      trouble.back();
      subscriber.reconnected();
      void connectAll(topology).then(attempt.resolve);
    },
    onAway(cause) {
      trouble.away(cause);
      attempt.resolve();
    },
  });

  // Detects a dead idle connection, and retries subscriptions that were refused or late.
  const beat = setInterval(() => {
    if (!isReady()) return;
    subscriber.sync();
    guards.check(topology.servers());
  }, beatMs);

  return {
    async run(key, command, bytes = 0) {
      if (isReady()) return guards.run(topology.serverOf(key), () => queue.admit(bytes, () => command(client)));
      trouble.swallowed();
      return undefined;
    },
    channels,
    sync: () => void (isReady() && subscriber.sync()),
    state: trouble.state,
    ping: async (timeoutMs) => (isReady() ? stateAfter(timeoutMs, topology.ping()) : trouble.state()),
    firstAttempt: withDeadline(openingLimitMs, attempt.promise).catch(() => {}),
    async close() {
      if (closed) return;
      closed = true;
      clearInterval(beat);
      trouble.close();
      await withDeadline(closingGraceMs, client.quit()).catch(() => {});
      client.disconnect();
      guards.shutdown();
    },
  };
}

/** In a cluster, the client connects to a node when it is first used. No request should have to wait for that. */
const connectAll = (topology: Topology): Promise<void> =>
  topology.ping().then(
    () => {},
    () => {},
  );

async function stateAfter(timeoutMs: number, answers: Promise<unknown>): Promise<StoreState> {
  try {
    await withDeadline(timeoutMs, answers);
    return { connected: true };
  } catch (error) {
    return { connected: false, error: error instanceof Error ? explain(error) : 'connection lost' };
  }
}
