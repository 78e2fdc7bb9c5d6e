import { setTimeout as sleep } from 'node:timers/promises';
import { Events, type Msg, type NatsConnection, type ServiceMsg } from 'nats';
import { closeConnection, isOpen } from './nats-close.ts';
import type { Message, MessageHandler, Mover } from './mover.ts';

/**
 * How long frames may wait on a busy connection to be sent together. A trial with 5 ms cut the cost of paced chunks to
 * a third.
 */
const gatherMs = 2;
const queueGroup = 'q';
const retryMs = 100;

/** A mover over one NATS connection. */
export function natsMover(connection: NatsConnection, id: string): Mover {
  let connected = true;
  const reconnectHandlers: (() => void)[] = [];

  async function watch(): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === Events.Disconnect) connected = false;
      if (type !== Events.Reconnect) continue;
      connected = true;
      for (const handler of reconnectHandlers) handler();
    }
  }
  void watch();

  return {
    id,
    gatherMs,
    publish(subject, payload, reply) {
      if (isOpen(connection)) connection.publish(subject, payload, reply ? { reply } : undefined);
    },
    subscribe(subject, handler) {
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => void (error ?? handler(toMessage(message, message.subject))),
      });
      return () => subscription.unsubscribe();
    },
    async serve({ name, version, endpoints, statistics }) {
      const service = await connection.services.add({
        name,
        version,
        queue: queueGroup,
        metadata: { instance: id },
        statsHandler: () => Promise.resolve(statistics()),
      });
      for (const { name: endpoint, subject, handler } of endpoints)
        service.addEndpoint(endpoint, options(subject, handler));
      await untilSubscribed(connection);
      return {
        async stop() {
          await service.stop();
        },
      };
    },
    connected: () => connected && !connection.isClosed(),
    onReconnect: (handler) => void reconnectHandlers.push(handler),
    close: () => closeConnection(connection),
  };
}

/**
 * Resolves when the server knows all subscriptions, also when the connection is lost meanwhile: the new one subscribes
 * again, and only the question whether the server has read so far is lost. Rejects when the connection is closed for
 * good. On a slow machine a server may answer no ping for so long that it is left, just while a service starts.
 */
async function untilSubscribed(connection: NatsConnection): Promise<void> {
  for (;;) {
    try {
      return await connection.flush();
    } catch (error) {
      if (connection.isClosed()) throw error;
      await sleep(retryMs);
    }
  }
}

function options(subject: string, handler: MessageHandler): EndpointOptions {
  return {
    subject,
    // The subject is known: the client would decode it from the message.
    handler: (error: Error | null, message: ServiceMsg) => void (error ?? handler(toMessage(message, subject))),
  };
}

interface EndpointOptions {
  subject: string;
  handler(error: Error | null, message: ServiceMsg): void;
}

/** If there is no listener, the broker replies with status 503 and no bytes. */
const noResponders = 503;

function toMessage(message: Msg | ServiceMsg, subject: string): Message {
  const { reply, data } = message;
  const unheard = data.length === 0 && message.headers?.code === noResponders;
  return { subject, reply: reply ?? '', payload: data, unheard };
}
