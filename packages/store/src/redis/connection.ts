import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '../deadline.ts';
import { createRedisClient } from './client.ts';
import type { RedisClient } from './client.ts';

export interface Connection {
  /** The connected client, or `undefined` while disconnected. */
  ready(): RedisClient | undefined;
  /** Drops a connection that no longer answers, and opens another. */
  replace(cause: Error): void;
  /** Resolves when the first attempt has succeeded or failed. */
  firstAttempt: Promise<void>;
  close(graceMs: number): Promise<void>;
}

export interface ConnectionOptions {
  /** The URL to connect to, anew for each connection. */
  locate: () => Promise<string>;
  /** Runs before the connection counts as ready. If it fails, the connection fails. */
  prepare: (client: RedisClient) => Promise<void>;
  onReady: () => void;
  onAway: (error: Error) => void;
}

const socketLimitMs = 1_000;
/** For the socket, TLS and the handshake together. */
const connectLimitMs = 1_500;
const prepareLimitMs = 1_000;
const shortestPauseMs = 50;
const longestPauseMs = 2_000;
/** A connection that ends sooner counts as another failed attempt, so that a flapping server is not hammered. */
const provenAfterMs = 5_000;

/**
 * Keeps one connection open until `close`. The library's own reconnecting is not used: it has no time limit for the
 * handshake (a hung server blocks it forever) and cannot drop a connection that looks open but is dead.
 */
export function openConnection(options: ConnectionOptions): Connection {
  const closing = new AbortController();
  const first = Promise.withResolvers<void>();
  let current: RedisClient | undefined;
  let end: ((cause: Error) => void) | undefined;

  const live = async () => {
    const life = Promise.withResolvers<Error>();
    end = life.resolve;
    const client = await connect(options, life.resolve, closing.signal);
    const readyAt = performance.now();
    current = client;
    options.onReady();
    first.resolve();
    const cause = await life.promise;
    current = undefined;
    client.destroy();
    return { cause, proven: performance.now() - readyAt > provenAfterMs };
  };

  const keep = async () => {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      const { cause, proven } = await live().catch((error: unknown) => ({ cause: toError(error), proven: false }));
      if (closing.signal.aborted) return;
      if (proven) failures = 0;
      options.onAway(cause);
      first.resolve();
      await sleep(pauseMs(failures), undefined, { signal: closing.signal }).catch(() => {});
    }
  };

  const kept = keep();
  return {
    ready: () => current,
    replace: (cause) => end?.(cause),
    firstAttempt: first.promise,
    async close(graceMs) {
      closing.abort();
      const client = current;
      current = undefined;
      if (client) await withDeadline(graceMs, client.close()).catch(() => {});
      end?.(new Error('closed'));
      await kept;
      first.resolve();
    },
  };
}

/** Returns a connected, prepared client, or rejects within the two time limits without leaking a socket. */
async function connect(
  { locate, prepare }: ConnectionOptions,
  onEnd: (cause: Error) => void,
  closing: AbortSignal,
): Promise<RedisClient> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(new Error('closed'));
  stopped.promise.catch(() => {});
  closing.addEventListener('abort', stop);
  let givenUp = false;
  let client: RedisClient | undefined;
  try {
    const opened = createRedisClient(await Promise.race([stopped.promise, locate()]), socketLimitMs);
    client = opened;
    opened.on('error', onEnd);
    const connecting = opened.connect().then(() => {
      // destroy() does not affect a socket that is still connecting, so a late socket is destroyed here.
      if (givenUp) opened.destroy();
    });
    await Promise.race([stopped.promise, withDeadline(connectLimitMs, connecting)]);
    await Promise.race([stopped.promise, withDeadline(prepareLimitMs, prepare(opened))]);
    return opened;
  } catch (error) {
    givenUp = true;
    client?.destroy();
    throw error;
  } finally {
    closing.removeEventListener('abort', stop);
  }
}

function pauseMs(failures: number): number {
  const longest = Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.min(failures, 10));
  return longest * (0.5 + Math.random() / 2);
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
