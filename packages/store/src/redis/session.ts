import { ErrorReply } from '@redis/client';
import type { StoreEvent, StoreState } from '../store.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { RedisAddress } from './address.ts';
import type { RedisClient } from './client.ts';
import { openConnection } from './connection.ts';
import { createGuard } from './guard.ts';
import { locate, refuseReplica } from './locate.ts';
import { createSubscriber } from './subscriber.ts';
import type { Subscriber } from './subscriber.ts';
import { watchTrouble } from './trouble.ts';

/** Combines the connection, breaker, subscriptions and state that the operations run on. */
export interface Session {
  /** Resolves to `undefined` when disconnected, late, refused by the breaker, or failed. */
  run<Result>(command: (client: RedisClient) => Promise<Result>): Promise<Result | undefined>;
  /** Updates the server's subscriptions after a change. */
  sync(): void;
  ready(): RedisClient | undefined;
  state(): StoreState;
  firstAttempt: Promise<void>;
  close(): Promise<void>;
}

export interface SessionOptions {
  address: RedisAddress;
  /** Prefix of every key and channel. */
  prefix: string;
  subscriptions: Subscriptions;
  report: (event: StoreEvent) => void;
}

const commandLimitMs = 500;
const beatMs = 1_000;
const closingGraceMs = 500;

export function openSession({ address, prefix, subscriptions, report }: SessionOptions): Session {
  const trouble = watchTrouble(report);
  let subscriber: Subscriber | undefined;

  const connection = openConnection({
    locate: () => locate(address),
    async prepare(client) {
      if (address.kind === 'sentinel') await refuseReplica(client);
      subscriber = createSubscriber({ client, prefix: `${prefix}channel:`, subscriptions });
      await subscriber.sync().catch(subscribingRefused(report));
    },
    onReady() {
      // The server has just answered a handshake.
      guard.close();
      trouble.back();
    },
    onAway(error) {
      subscriber = undefined;
      trouble.away(error);
    },
  });

  const guard = createGuard({
    limitMs: commandLimitMs,
    probe: () => writeProbe(connection.ready(), `${prefix}probe`),
    onOpen(cause) {
      trouble.away(cause);
      // The Sentinels made another server the primary.
      if (address.kind === 'sentinel' && cause.message.startsWith('READONLY')) connection.replace(cause);
    },
    onClose: () => connection.ready() && trouble.back(),
    onDead: connection.replace,
    onSwallowed: trouble.swallowed,
  });

  const run: Session['run'] = async (command) => {
    const client = connection.ready();
    if (client) return guard.run(() => command(client));
    trouble.swallowed();
    return undefined;
  };

  const sync = () => {
    if (connection.ready()) void guard.run(async () => subscriber?.sync());
  };

  // Detects a dead idle connection, and retries subscriptions that were refused or late.
  const beat = setInterval(() => {
    sync();
    if (connection.ready()) guard.check();
  }, beatMs);

  return {
    run,
    sync,
    ready: connection.ready,
    state: trouble.state,
    firstAttempt: connection.firstAttempt,
    async close() {
      clearInterval(beat);
      trouble.close();
      await connection.close(closingGraceMs);
      guard.shutdown();
    },
  };
}

/** Writes, because a server that is full, read-only or still loading answers PING normally. */
async function writeProbe(client: RedisClient | undefined, key: string): Promise<void> {
  if (!client) throw new Error('not connected');
  await client.set(key, '1', { expiration: { type: 'PX', value: 10 * beatMs } });
}

/** Without permission to subscribe, the connection is still usable: reports the refusal; the beat tries again. */
function subscribingRefused(report: (event: StoreEvent) => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ErrorReply)) throw error;
    report({ kind: 'subscriber_failed', channel: '*', error });
  };
}
