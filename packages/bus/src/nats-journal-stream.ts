import {
  DiscardPolicy,
  ErrorCode,
  type JetStreamClient,
  type JetStreamManager,
  nanos,
  type NatsConnection,
  NatsError,
  RetentionPolicy,
  StorageType,
} from 'nats';
import { journalWildcard } from './subject.ts';

/** What an operator may say about where journals are kept; what is left out stays as it is. */
export interface JournalSettings {
  /** Copies in a cluster of NATS servers; one when it is made. */
  replicas?: number | undefined;
  /** When it holds so much nothing more is taken, until something of it is read. */
  maxBytes?: number | undefined;
}

/** One JetStream stream holds every journal. */
export const streamName = 'switchyard-journal';
/** An id appended again within this time is stored once. */
const duplicateWindowMs = 10 * 60_000;
/** A few million records of use. */
const usualMaxBytes = 4 * 1024 ** 3;
const unlimited = -1;

const streamExists = 10_058;
const streamMissing = 10_059;
const storageInsufficient = 10_047;

/** Makes the stream, or finds it and changes what we were told to; `warn` is told of what cannot be had. */
export async function prepareStream(
  connection: NatsConnection,
  settings: JournalSettings,
  warn: (detail: string) => void,
): Promise<JetStreamClient> {
  const manager = await connection.jetstreamManager();
  let result = await make(manager, settings, settings.maxBytes ?? usualMaxBytes);
  if (result === 'too large') {
    // The server has not that much: then its own limit is the journal's.
    result = await make(manager, settings, unlimited);
    if (result === 'made' && settings.maxBytes !== undefined) warn(tooLarge(settings.maxBytes));
  }
  if (result === 'there already') await adjust(manager, settings, warn);
  return connection.jetstream();
}

async function make(
  manager: JetStreamManager,
  { replicas }: JournalSettings,
  maxBytes: number,
): Promise<'made' | 'there already' | 'too large'> {
  try {
    await manager.streams.add({
      name: streamName,
      subjects: [journalWildcard],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      discard: DiscardPolicy.New,
      duplicate_window: nanos(duplicateWindowMs),
      max_bytes: maxBytes,
      ...(replicas !== undefined && { num_replicas: replicas }),
    });
    return 'made';
  } catch (error) {
    if (hasCode(error, streamExists)) return 'there already';
    if (hasCode(error, storageInsufficient) && maxBytes !== unlimited) return 'too large';
    throw error;
  }
}

/** It was made with other settings, of which only what we were told is changed. */
async function adjust(
  { streams }: JetStreamManager,
  { replicas, maxBytes }: JournalSettings,
  warn: (detail: string) => void,
): Promise<void> {
  if (replicas !== undefined) await streams.update(streamName, { num_replicas: replicas });
  if (maxBytes === undefined) return;
  const { config, state } = await streams.info(streamName);
  if (config.max_bytes === maxBytes) return;
  // The server would throw away what is beyond it.
  if (state.bytes > maxBytes / 2)
    return warn(`The journal holds ${state.bytes} bytes; its limit is set when it is less.`);
  await streams.update(streamName, { max_bytes: maxBytes }).catch((error: unknown) => {
    if (!hasCode(error, storageInsufficient)) throw error;
    warn(tooLarge(maxBytes));
  });
}

/** Somebody removed it, or a server without a disk of its own started anew. */
export const isStreamGone = (error: unknown): boolean => hasCode(error, streamMissing) || isUnheard(error);

/** Where there is no stream nobody hears what is published to it. A full one answers, with the same code. */
const isUnheard = (error: unknown): boolean =>
  error instanceof NatsError && error.code === ErrorCode.NoResponders && error.api_error === undefined;

const tooLarge = (maxBytes: number): string => `The NATS server has no room for a journal of ${maxBytes} bytes.`;

const hasCode = (error: unknown, code: number): boolean =>
  error instanceof NatsError && error.api_error?.err_code === code;
