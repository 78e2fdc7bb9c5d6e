import { setTimeout as pause } from 'node:timers/promises';
import { GatewayError } from '@switchyard/contracts';
import {
  AckPolicy,
  type Consumer as PullConsumer,
  type JetStreamClient,
  type JsMsg,
  nanos,
  type NatsConnection,
} from 'nats';
import { Appender, splitEntries } from './appender.ts';
import type { ConsumeOptions, Consumer, Journals } from './link.ts';
import { isStreamGone, streamName } from './nats-journal-stream.ts';

const appendMs = 5_000;
const ackWaitMs = 30_000;
const retryMs = 500;
/** The client refuses to wait less than this. */
const fetchMs = 1_000;
/** What waits here is safe, and each batch costs its reader a commit: so many times longer than in memory it waits for company. */
const patience = 10;

const usualBatch = 500;
/** A message may hold many entries. */
const mostMessages = 100;

type Handler = (entries: readonly Uint8Array[]) => Promise<void>;

/** Journals that outlive every process of ours. `prepare` makes where they are kept, or finds it. */
export function natsJournals(
  connection: NatsConnection,
  prepare: () => Promise<JetStreamClient>,
): Journals & { close(): Promise<void> } {
  const consumers = new Set<Consumer>();
  /** As many as there are journals. */
  const appenders = new Map<string, Appender>();
  let ready: Promise<JetStreamClient> | undefined;

  const jetStream = (): Promise<JetStreamClient> =>
    (ready ??= prepare().catch((error: unknown) => {
      ready = undefined;
      throw error;
    }));
  /** The next one who needs it makes it again. */
  function onFailure(error: unknown): void {
    if (isStreamGone(error)) ready = undefined;
  }

  async function publish(subject: string, id: string, message: Uint8Array): Promise<void> {
    try {
      await (await jetStream()).publish(subject, message, { msgID: id, timeout: appendMs });
    } catch (cause) {
      onFailure(cause);
      throw new GatewayError('unavailable', 'The journal cannot be written right now.', { cause, retryAfterMs: 1000 });
    }
  }

  return {
    append(subject, id, entry) {
      const appender = appenders.get(subject) ?? new Appender((batchId, batch) => publish(subject, batchId, batch));
      appenders.set(subject, appender);
      return appender.append(id, entry);
    },
    async consume(subject, handler, options = {}) {
      const consumer = consumeUntilStopped({ connection, jetStream, onFailure, subject, handler, options });
      consumers.add(consumer);
      return consumer;
    },
    async close() {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
    },
  };
}

interface Consuming {
  connection: NatsConnection;
  jetStream(): Promise<JetStreamClient>;
  onFailure(error: unknown): void;
  subject: string;
  handler: Handler;
  options: ConsumeOptions;
}

function consumeUntilStopped(consuming: Consuming): Consumer {
  const stopping = new AbortController();
  const ended = run(consuming, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Fetches, hands over, acknowledges; whatever fails is told and tried again after a pause. */
async function run(consuming: Consuming, signal: AbortSignal): Promise<void> {
  const { connection, options, onFailure } = consuming;
  let source: PullConsumer | undefined;
  while (!signal.aborted && !connection.isClosed()) {
    const batch: JsMsg[] = [];
    try {
      source ??= await openConsumer(consuming);
      await fetchBatch(source, batch, { ...options, signal });
      if (batch.length > 0) await handOver(batch, consuming);
      for (const message of batch) message.ack();
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

async function openConsumer({ connection, jetStream, subject }: Consuming): Promise<PullConsumer> {
  const durable = subject.replaceAll('.', '-');
  const client = await jetStream();
  const manager = await connection.jetstreamManager();
  await manager.consumers.add(streamName, {
    durable_name: durable,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
  });
  return client.consumers.get(streamName, durable);
}

/**
 * Waits for one message, then for company unless there is plenty, and takes what is there by then. To be handed each message as it comes would
 * wake the server and us for each. What comes again is not among those the server counts as waiting.
 */
async function fetchBatch(
  consumer: PullConsumer,
  batch: JsMsg[],
  { gatherMs = 0, signal }: ConsumeOptions & { signal: AbortSignal },
): Promise<void> {
  await fetch(consumer, 1, batch);
  const [first] = batch;
  if (first === undefined) return;
  if (first.info.pending < mostMessages) await pause(gatherMs * patience, undefined, { signal }).catch(() => undefined);
  const waiting = first.redelivered ? mostMessages : (await consumer.info()).num_pending;
  if (waiting > 0) await fetch(consumer, Math.min(waiting, mostMessages), batch);
}

async function fetch(consumer: PullConsumer, count: number, batch: JsMsg[]): Promise<void> {
  for await (const message of await consumer.fetch({ max_messages: count, expires: fetchMs })) batch.push(message);
}

async function handOver(batch: readonly JsMsg[], { handler, options }: Consuming): Promise<void> {
  const { maxBatch = usualBatch } = options;
  const entries = batch.flatMap((message) => splitEntries(message.data));
  for (let at = 0; at < entries.length; at += maxBatch) await handler(entries.slice(at, at + maxBatch));
}
