import { ErrorReply } from 'redis';
import type { StoreEvent, StoreState } from '../store.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { RedisClient } from './client.ts';
import { openConnection } from './connection.ts';
import { createGuard } from './guard.ts';
import { createSubscriber } from './subscriber.ts';
import type { Subscriber } from './subscriber.ts';
import { watchTrouble } from './trouble.ts';

/** Connection, breaker, subscriptions and the state of it all, as one thing that operations run on. */
export interface Session {
  /** `undefined` when away, late, refused by the breaker or failed. */
  run<Result>(command: (client: RedisClient) => Promise<Result>): Promise<Result | undefined>;
  /** What is subscribed has changed. */
  sync(): void;
  ready(): RedisClient | undefined;
  state(): StoreState;
  firstAttempt: Promise<void>;
  close(): Promise<void>;
}

export interface SessionOptions {
  url: string;
  /** In front of every key and channel. */
  prefix: string;
  subscriptions: Subscriptions;
  tell: (event: StoreEvent) => void;
}

const commandLimitMs = 500;
const beatMs = 1_000;
const closingGraceMs = 500;

export function openSession({ url, prefix, subscriptions, tell }: SessionOptions): Session {
  const trouble = watchTrouble(tell);
  let subscriber: Subscriber | undefined;

  const connection = openConnection({
    url,
    async prepare(client) {
      subscriber = createSubscriber({ client, prefix: `${prefix}channel:`, subscriptions });
      await subscriber.sync().catch(subscribingRefused(tell));
    },
    onReady() {
      // It has just answered a handshake.
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
    onOpen: trouble.away,
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

  // Finds a dead connection that nobody uses, and a channel whose subscription was refused or late.
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

/** A write, because a server that is full, read-only or still loading answers PING as if nothing were wrong. */
async function writeProbe(client: RedisClient | undefined, key: string): Promise<void> {
  if (!client) throw new Error('not connected');
  await client.set(key, '1', { expiration: { type: 'PX', value: 10 * beatMs } });
}

/** Who may not subscribe can still count: that is told, the beat asks again, and the connection is good. */
function subscribingRefused(tell: (event: StoreEvent) => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ErrorReply)) throw error;
    tell({ kind: 'subscriber_failed', channel: '*', error });
  };
}
