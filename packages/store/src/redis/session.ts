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
  const channelPrefix = `${prefix}channel:`;
  const probeKey = `${prefix}probe`;
  const trouble = watchTrouble(tell);
  let subscriber: Subscriber | undefined;

  const connection = openConnection({
    url,
    async prepare(client) {
      const { deliver } = subscriptions;
      const wanted = subscriptions.channels();
      subscriber = createSubscriber({ client, prefix: channelPrefix, wanted, deliver });
      // Who may not subscribe can still count: `beat` asks again, and the breaker knows.
      await subscriber.sync().catch((error: unknown) => {
        if (!(error instanceof ErrorReply)) throw error;
        tell({ kind: 'subscriber_failed', channel: [...wanted].join(), error });
      });
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

  // A write, because a server that is full, read-only or still loading answers PING as if nothing were wrong.
  const probe = async () => {
    const client = connection.ready();
    if (!client) throw new Error('not connected');
    await client.set(probeKey, '1', { expiration: { type: 'PX', value: 10 * beatMs } });
  };

  const guard = createGuard({
    limitMs: commandLimitMs,
    probe,
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
    const { ready } = connection;
    if (ready()) void guard.run(async () => subscriber?.sync());
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
