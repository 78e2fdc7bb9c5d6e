import type { Message, MessageHandler, Mover } from './mover.ts';

export type Broker = Pick<Mover, 'publish' | 'subscribe'>;

const nothing = new Uint8Array(0);
/**
 * After this many bytes the event loop gets a turn. A writer and a reader in one process would otherwise move a body of
 * any size without one.
 */
const bytesPerTurn = 256 * 1024;

/** Delivers messages within this process. */
export function inProcessBroker(): Broker {
  const subscribers = new Map<string, Set<MessageHandler>>();
  let waiting: { handler: MessageHandler; message: Message }[] = [];
  let bytesOfTurn = 0;

  function deliver(handler: MessageHandler, message: Message): void {
    waiting.push({ handler, message });
    if (waiting.length > 1) return;
    if (bytesOfTurn < bytesPerTurn) return queueMicrotask(deliverAll);
    bytesOfTurn = 0;
    setImmediate(deliverAll);
  }

  function deliverAll(): void {
    const batch = waiting;
    waiting = [];
    for (const { handler, message } of batch) {
      bytesOfTurn += message.payload.length;
      handler(message);
    }
  }

  function publish(subject: string, payload: Uint8Array, reply = ''): void {
    const handlers = listeners(subscribers, subject);
    for (const handler of handlers ?? []) deliver(handler, { subject, reply, payload, unheard: false });
    if (handlers || !reply) return;
    const back = { subject: reply, reply: '', payload: nothing, unheard: true };
    for (const handler of listeners(subscribers, reply) ?? []) deliver(handler, back);
  }

  function subscribe(subject: string, handler: MessageHandler): () => void {
    const handlers = subscribers.get(subject) ?? new Set();
    subscribers.set(subject, handlers.add(handler));
    return () => {
      handlers.delete(handler);
      if (handlers.size === 0) subscribers.delete(subject);
    };
  }

  return { publish, subscribe };
}

/** Matches exact subjects, and a wildcard as the last token, the only form in use. */
function listeners(subscribers: Map<string, Set<MessageHandler>>, subject: string): Set<MessageHandler> | undefined {
  return subscribers.get(subject) ?? subscribers.get(`${subject.slice(0, subject.lastIndexOf('.'))}.*`);
}
