import { createClient, RESP_TYPES } from 'redis';
import { scripts } from './scripts.ts';

export type RedisClient = ReturnType<typeof createRedisClient>;

/** More commands than this waiting for their replies means the server does not keep up: the next ones fail at once. */
const maxPending = 10_000;

/**
 * A client for one connection: it never reconnects and never queues while offline, `connection.ts` makes the next one.
 * Its own time limit is off, because it costs an AbortSignal per command and ends only what is not written yet.
 */
export function createRedisClient(url: string, connectTimeoutMs: number) {
  return createClient({
    url,
    scripts,
    socket: { reconnectStrategy: false, connectTimeout: connectTimeoutMs },
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxPending,
    commandOptions: { timeout: undefined, typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
    maintNotifications: 'disabled',
  });
}
