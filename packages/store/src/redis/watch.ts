import { Redis } from 'ioredis';
import { LateError } from '../deadline.ts';
import type { RedisClient } from './client.ts';

interface ConnectionEvents {
  onReady: () => void;
  /** The connection is lost, or could not be opened. The library tries again. */
  onAway: (cause: Error) => void;
}

/** For the handshake, which the library does not limit. */
const handshakeLimitMs = 1_500;

/** Reports each change of the connection with its cause. */
export function watchConnection(client: RedisClient, { onReady, onAway }: ConnectionEvents): void {
  let cause: Error | undefined;
  let ofSentinel: Error | undefined;
  let handshake: NodeJS.Timeout | undefined;

  const fail = (error: Error) => {
    cause = error;
    if (client.status !== 'ready') onAway(error);
    // Otherwise the library would use a server that has refused the database.
    if (client instanceof Redis && client.status === 'connect') client.stream.destroy();
  };

  client.on('sentinelError', (error: Error) => (ofSentinel = error));
  client.on('error', (error: Error) => {
    fail(error.message.startsWith('All sentinels') ? (ofSentinel ?? error) : (ofNode(error) ?? error));
  });
  client.on('connect', () => {
    handshake = setTimeout(() => fail(new LateError(handshakeLimitMs)), handshakeLimitMs);
  });
  client.on('close', () => {
    clearTimeout(handshake);
    onAway(cause ?? new Error('Connection is closed.'));
    cause = undefined;
  });
  client.on('ready', () => {
    clearTimeout(handshake);
    cause = undefined;
    onReady();
  });
}

/** Of the last node that a cluster's client has asked. */
const ofNode = (error: Error): Error | undefined =>
  'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : undefined;
