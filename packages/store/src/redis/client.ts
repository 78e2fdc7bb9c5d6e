import { createClient, RESP_TYPES } from '@redis/client';
import { scripts } from './scripts.ts';

export type RedisClient = ReturnType<typeof createRedisClient>;

/** With this many commands awaiting replies the server does not keep up, and further commands fail at once. */
const maxPending = 10_000;

/**
 * A client for one connection. It never reconnects and never queues while offline; `connection.ts` opens the next one.
 * The library's timeout is off, because it costs an AbortSignal per command and cancels only commands that are not yet
 * written.
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
