import { setTimeout as pause } from 'node:timers/promises';
import { GatewayError } from '@tallyport/contracts';
import {
  AckPolicy,
  type Consumer as PullConsumer,
  type JetStreamClient,
  type JsMsg,
  nanos,
  type NatsConnection,
} from 'nats';
import { Appender, type JournalMessage, splitEntries } from './appender.ts';
import type { ConsumeOptions, Consumer, Journals } from './link.ts';
import { closeConnection } from './nats-close.ts';
import { createJournalRoom } from './nats-journal-room.ts';
import { createStuckEntryCheck } from './nats-journal-remains.ts';
import { isStreamGone } from './nats-journal-stream.ts';
import { createStoredPublish } from './nats-stored-publish.ts';
import { journalStream } from './subject.ts';

const appendMs = 5_000;
const ackWaitMs = 30_000;
const retryMs = 500;
/** The shortest wait that the NATS client allows. */
const fetchMs = 1_000;
/**
 * Batches wait this many times longer than those of the in-process journals: the entries are safe here, and every batch
 * costs its consumer a commit.
 */
const durableGatherFactor = 10;

const defaultBatch = 500;
/** Of one batch. Each message may hold many entries. */
const maxMessages = 100;

type Handler = (entries: readonly Uint8Array[]) => Promise<void>;

interface NatsJournalOptions {
  /** The prefix of the subjects of answers. */
  inboxes: string;
  /** Creates or finds the stream. */
  prepare(): Promise<JetStreamClient>;
  /** Called when entries were not stored. */
  onUnstored?(): void;
}

/** Journals stored by NATS, which outlive our processes. `connection` must serve nothing else; `close` closes it. */
export function natsJournals(
  connection: NatsConnection,
  { inboxes, prepare, onUnstored }: NatsJournalOptions,
): Journals & { close(): Promise<void> } {
  const consumers = new Set<Consumer>();
  /** One per journal. */
  const appenders = new Map<string, Appender>();
  let ready: Promise<JetStreamClient> | undefined;

  const publishStored = createStoredPublish(connection, { inboxes, timeoutMs: appendMs });
  const room = createJournalRoom(async () => {
    const { streams } = await connection.jetstreamManager({ checkAPI: false });
    const { state, config } = await streams.info(journalStream);
    return { bytes: state.bytes, maxBytes: config.max_bytes };
  });

  const jetStream = (): Promise<JetStreamClient> =>
    (ready ??= prepare().catch((error: unknown) => {
      ready = undefined;
      throw error;
    }));
  /** The next use creates the stream again. */
  function onFailure(error: unknown): void {
    if (isStreamGone(error)) ready = undefined;
  }

  async function publish(subject: string, { bytes, onSent }: JournalMessage): Promise<void> {
    try {
      await jetStream();
      await room.reserve(bytes.length);
      const stored = publishStored(subject, bytes);
      // The client has queued the same for its write to the socket: after that the message survives this process.
      queueMicrotask(onSent);
      await stored;
    } catch (cause) {
      onFailure(cause);
      onUnstored?.();
      throw new GatewayError('unavailable', 'The journal cannot be written right now. Try again in a second.', {
        cause,
        retryAfterMs: 1000,
      });
    }
  }

  return {
    mayLose: true,
    append(subject, entry) {
      const appender = appenders.get(subject) ?? new Appender((message) => publish(subject, message));
      appenders.set(subject, appender);
      return appender.append(entry);
    },
    async consume(subject, handler, options = {}) {
      const consumer = consumeUntilStopped({ connection, jetStream, onFailure, subject, handler, options });
      consumers.add(consumer);
      return consumer;
    },
    async close() {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      await closeConnection(connection);
    },
  };
}

interface ConsumerContext {
  connection: NatsConnection;
  jetStream(): Promise<JetStreamClient>;
  onFailure(error: unknown): void;
  subject: string;
  handler: Handler;
  options: ConsumeOptions;
}

function consumeUntilStopped(context: ConsumerContext): Consumer {
  const stopping = new AbortController();
  const ended = run(context, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Fetches, delivers and acknowledges until stopped. Any failure is reported and retried after a pause. */
async function run(context: ConsumerContext, signal: AbortSignal): Promise<void> {
  const { connection, subject, options, onFailure } = context;
  const stuckEntries = createStuckEntryCheck(connection, subject);
  let source: PullConsumer | undefined;
  while (!signal.aborted && !connection.isClosed()) {
    const batch: JsMsg[] = [];
    try {
      source ??= await openConsumer(context);
      await fetchBatch(source, batch, { ...options, signal });
      if (batch.length > 0) await deliver(batch, context);
      for (const message of batch) message.ack();
      if (await stuckEntries.find(source)) {
        await startOver(context);
        source = undefined;
      }
    } catch (error) {
      if (connection.isClosed()) return;
      for (const message of batch) message.nak(retryMs);
      source = undefined;
      onFailure(error);
      options.onFailure?.(error);
      await pause(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

const durableName = (subject: string): string => subject.replaceAll('.', '-');

/**
 * Deletes the consumer. A new one receives all entries in the stream, including some that the handler has already seen.
 */
async function startOver({ connection, subject }: ConsumerContext): Promise<void> {
  const { consumers } = await connection.jetstreamManager({ checkAPI: false });
  await consumers.delete(journalStream, durableName(subject));
}

async function openConsumer({ connection, jetStream, subject }: ConsumerContext): Promise<PullConsumer> {
  const durable = durableName(subject);
  const client = await jetStream();
  const manager = await connection.jetstreamManager();
  await manager.consumers.add(journalStream, {
    durable_name: durable,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
  });
  return client.consumers.get(journalStream, durable);
}

/**
 * Waits for one message, then for more unless many are already waiting, and fetches at most `maxMessages` of those that
 * have arrived. Receiving messages one by one would wake the server and us for each. The server's count of pending
 * messages excludes redelivered ones, so after a redelivery the maximum is requested.
 */
async function fetchBatch(
  consumer: PullConsumer,
  batch: JsMsg[],
  { gatherMs = 0, signal }: ConsumeOptions & { signal: AbortSignal },
): Promise<void> {
  await fetch(consumer, 1, batch);
  const [first] = batch;
  if (first === undefined) return;
  if (first.info.pending < maxMessages)
    await pause(gatherMs * durableGatherFactor, undefined, { signal }).catch(() => undefined);
  const waiting = first.redelivered ? maxMessages : (await consumer.info()).num_pending;
  if (waiting > 0) await fetch(consumer, Math.min(waiting, maxMessages), batch);
}

async function fetch(consumer: PullConsumer, count: number, batch: JsMsg[]): Promise<void> {
  for await (const message of await consumer.fetch({ max_messages: count, expires: fetchMs })) batch.push(message);
}

async function deliver(batch: readonly JsMsg[], { handler, options }: ConsumerContext): Promise<void> {
  const { maxBatch = defaultBatch } = options;
  const entries = batch.flatMap((message) => splitEntries(message.data));
  for (let at = 0; at < entries.length; at += maxBatch) await handler(entries.slice(at, at + maxBatch));
}
