import {
  DiscardPolicy,
  ErrorCode,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  RetentionPolicy,
  StorageType,
} from 'nats';
import { journalStream, journalWildcard } from './subject.ts';

/** Operator settings of the journal stream. A missing setting leaves an existing stream unchanged. */
export interface JournalSettings {
  /** Copies in a cluster of NATS servers; a new stream has one by default. */
  replicas?: number | undefined;
  /** Size of the stream. When it is full, further entries are refused until some have been read. */
  maxBytes?: number | undefined;
}

/** Room for a few million usage records. */
const defaultMaxBytes = 4 * 1024 ** 3;
const unlimited = -1;

const streamExists = 10_058;
const streamMissing = 10_059;
const storageInsufficient = 10_047;

/**
 * Creates the stream, or applies the given settings to an existing one, if our user may: others use it once it exists.
 * `warn` is called with settings that cannot be applied.
 */
export async function prepareStream(
  connection: NatsConnection,
  settings: JournalSettings,
  warn: (detail: string) => void,
): Promise<JetStreamClient> {
  const manager = await connection.jetstreamManager();
  let result = await createStream(manager, settings, settings.maxBytes ?? defaultMaxBytes);
  if (result === 'too large') {
    // The server does not allow that much: its own limit applies to the journal instead.
    result = await createStream(manager, settings, unlimited);
    if (result === 'created' && settings.maxBytes !== undefined) warn(tooLarge(settings.maxBytes));
  }
  if (result === 'exists') await adjust(manager, settings, warn);
  return connection.jetstream();
}

async function createStream(
  manager: JetStreamManager,
  { replicas }: JournalSettings,
  maxBytes: number,
): Promise<'created' | 'exists' | 'too large' | 'not ours'> {
  try {
    await manager.streams.add({
      name: journalStream,
      subjects: [journalWildcard],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      discard: DiscardPolicy.New,
      max_bytes: maxBytes,
      ...(replicas !== undefined && { num_replicas: replicas }),
    });
    return 'created';
  } catch (error) {
    if (hasCode(error, streamExists)) return 'exists';
    if (isForbidden(error)) return 'not ours';
    if (!hasCode(error, storageInsufficient)) throw error;
    // The server asks whether it has room for the stream before it asks whether it has the stream.
    if (await exists(manager)) return 'exists';
    if (maxBytes === unlimited) throw error;
    return 'too large';
  }
}

async function exists({ streams }: JetStreamManager): Promise<boolean> {
  try {
    await streams.info(journalStream);
    return true;
  } catch (error) {
    if (hasCode(error, streamMissing)) return false;
    throw error;
  }
}

/** Changes only the given settings of an existing stream. */
async function adjust(
  { streams }: JetStreamManager,
  { replicas, maxBytes }: JournalSettings,
  warn: (detail: string) => void,
): Promise<void> {
  if (replicas !== undefined) await streams.update(journalStream, { num_replicas: replicas });
  if (maxBytes === undefined) return;
  const { config, state } = await streams.info(journalStream);
  if (config.max_bytes === maxBytes) return;
  // The server would delete entries beyond the limit.
  if (state.bytes > maxBytes / 2)
    return warn(`The journal holds ${state.bytes} bytes, too many for its new limit. It is applied at a later start.`);
  await streams.update(journalStream, { max_bytes: maxBytes }).catch((error: unknown) => {
    if (!hasCode(error, storageInsufficient)) throw error;
    warn(tooLarge(maxBytes));
  });
}

/** Whether the stream is gone: it was deleted, or a server without a persistent disk has restarted. */
export const isStreamGone = (error: unknown): boolean => hasCode(error, streamMissing) || isUnheard(error);

/** Without a stream, a publish has no responders. A full stream answers with the same code, but with an `api_error`. */
const isUnheard = (error: unknown): boolean =>
  error instanceof NatsError && error.code === ErrorCode.NoResponders && error.api_error === undefined;

const tooLarge = (maxBytes: number): string =>
  `The NATS server has no room for a journal of ${maxBytes} bytes. Raise its storage limit or lower the size.`;

const isForbidden = (error: unknown): boolean =>
  error instanceof NatsError && error.code === ErrorCode.PermissionsViolation;

const hasCode = (error: unknown, code: number): boolean =>
  error instanceof NatsError && error.api_error?.err_code === code;
