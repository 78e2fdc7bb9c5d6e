import { createInbox, ErrorCode, type Msg, type NatsConnection, NatsError } from 'nats';

interface StoredPublishOptions {
  /** The prefix of the subject at which the stream confirms. */
  inboxes: string;
  timeoutMs: number;
}

interface Pending {
  resolve(): void;
  reject(error: unknown): void;
  expiresAt: number;
}

/** If nothing listens, the server replies with this status and no bytes. */
const noResponders = 503;

/**
 * Publishes messages to a stream; each promise resolves when the stream has stored its message. The client's own method
 * starts a timer and records a stack trace for every message, which costs more than the rest of it: here all messages
 * share one subscription and one timer. A message has no id by which NATS recognises a repetition: it would acknowledge
 * the repetition of a message that it has lost.
 */
export function createStoredPublish(connection: NatsConnection, { inboxes, timeoutMs }: StoredPublishOptions) {
  const inbox = createInbox(inboxes);
  /** By reply subject, in the order of their deadlines. */
  const pending = new Map<string, Pending>();
  let published = 0;
  let timer: NodeJS.Timeout | undefined;

  connection.subscribe(`${inbox}.*`, {
    callback: (_error, message) => {
      const waiting = pending.get(message.subject);
      pending.delete(message.subject);
      const refusal = waiting && refusalIn(message);
      if (refusal) waiting.reject(refusal);
      else waiting?.resolve();
    },
  });
  void connection.closed().then(() => {
    clearTimeout(timer);
    rejectUntil(Infinity, ErrorCode.ConnectionClosed);
  });

  function rejectUntil(time: number, code: ErrorCode): void {
    for (const [subject, { reject, expiresAt }] of pending) {
      if (expiresAt > time) break;
      pending.delete(subject);
      reject(NatsError.errorForCode(code));
    }
  }

  function startTimer(ms: number): void {
    timer = setTimeout(() => {
      timer = undefined;
      rejectUntil(performance.now(), ErrorCode.Timeout);
      const [oldest] = pending.values();
      if (oldest) startTimer(Math.max(0, oldest.expiresAt - performance.now()));
    }, ms);
  }

  return (subject: string, bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      const reply = `${inbox}.${++published}`;
      connection.publish(subject, bytes, { reply });
      pending.set(reply, { resolve, reject, expiresAt: performance.now() + timeoutMs });
      if (timer === undefined) startTimer(timeoutMs);
    });
}

function refusalIn(message: Msg): NatsError | undefined {
  if (message.data.length === 0 && message.headers?.code === noResponders)
    return NatsError.errorForCode(ErrorCode.NoResponders);
  const { stream, error } = answerIn(message);
  if (error === undefined)
    return stream === undefined ? NatsError.errorForCode(ErrorCode.JetStreamInvalidAck) : undefined;
  const refusal = new NatsError(error.description, String(error.code));
  refusal.api_error = error;
  return refusal;
}

function answerIn(message: Msg): { stream?: string; error?: NatsError['api_error'] } {
  try {
    return message.json();
  } catch {
    return {};
  }
}
