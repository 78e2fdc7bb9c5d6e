import { type Caller, GatewayError, longestSocketMs, type Principal } from '@tallyport/contracts';
import { repeat } from '@tallyport/service-kit';
import type { ClientSocket, SocketSession } from './client-socket.ts';
import { closeTexts, type Ending } from './closings.ts';

/** A socket that is open, and what is spoken on it. */
interface OpenSocket {
  socket: ClientSocket;
  session: SocketSession;
  principal: Principal;
  /** When its key expires. */
  expiresAt?: string | undefined;
  /** Rejects with `invalid_api_key` if the key of the socket has ended. */
  checkKey(): Promise<Pick<Caller, 'expiresAt'> | undefined>;
}

export interface OpenSockets {
  /** Takes the place of one socket, which the returned function gives back. Throws beyond the limits. */
  enter({ keyId }: Pick<Principal, 'keyId'>): () => void;
  /** Keeps it until it is closed. */
  keep(open: OpenSocket): void;
  /** Keys of the account, or of any, have changed: sockets of those that ended are closed. */
  keysChanged(accountId?: string): void;
  /** Refuses new sockets, and closes each one when its work has ended, or at the deadline. */
  drain(deadlineMs: number): Promise<void>;
}

interface OpenSocketsOptions {
  /** All sockets of this process. */
  most: number;
  mostPerKey: number;
  onFailed(error: unknown): void;
  beatMs?: number;
  longestMs?: number;
}

/** Proxies close connections that stay silent for longer. */
const beatMs = 15_000;

export function createOpenSockets({ most, mostPerKey, onFailed, ...times }: OpenSocketsOptions): OpenSockets {
  const sockets = new Set<OpenSocket>();
  const keys = new Map<string, number>();
  let count = 0;
  let draining = false;
  let stopBeating: (() => void) | undefined;

  function leave(keyId: string): void {
    count -= 1;
    const left = (keys.get(keyId) ?? 1) - 1;
    if (left > 0) keys.set(keyId, left);
    else keys.delete(keyId);
    if (count > 0) return;
    stopBeating?.();
    stopBeating = undefined;
  }

  const end = async ({ socket, session }: OpenSocket, why: Ending, deadlineMs?: number): Promise<void> => {
    await session.finish(why, deadlineMs);
    socket.close(why, closeTexts[why]);
    await socket.closed;
  };

  return {
    enter({ keyId }) {
      if (draining) throw shuttingDown();
      const ofKey = keys.get(keyId) ?? 0;
      if (ofKey >= mostPerKey) throw tooMany(mostPerKey);
      if (count >= most) throw full();
      keys.set(keyId, ofKey + 1);
      count += 1;
      stopBeating ??= repeat({ everyMs: times.beatMs ?? beatMs, onFailed }, () =>
        sockets.forEach(({ socket }) => socket.beat()),
      );
      return () => leave(keyId);
    },
    keep(open) {
      sockets.add(open);
      endWithKey(open, open.expiresAt, end);
      const timer = setTimeout(() => void end(open, 'age'), times.longestMs ?? longestSocketMs).unref();
      void open.socket.closed.then(() => {
        clearTimeout(timer);
        sockets.delete(open);
      });
    },
    keysChanged(accountId) {
      for (const open of sockets) {
        if (accountId === undefined || open.principal.accountId === accountId) void recheck(open, end);
      }
    },
    async drain(deadlineMs) {
      draining = true;
      const timer = setTimeout(() => sockets.forEach(({ socket }) => socket.leave('restart')), deadlineMs);
      await Promise.all([...sockets].map(async (open) => end(open, 'restart', deadlineMs)));
      clearTimeout(timer);
    },
  };
}

const msUntil = (expiresAt: string | undefined): number =>
  expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.now();

type End = (open: OpenSocket, why: Ending) => Promise<void>;

/** Ends it when its key expires. */
function endWithKey(open: OpenSocket, expiresAt: string | undefined, end: End): void {
  const leftMs = msUntil(expiresAt);
  // Longer timers fire at once, and it is closed before.
  if (leftMs > longestSocketMs) return;
  const timer = setTimeout(() => void expire(open, end), Math.max(0, leftMs)).unref();
  void open.socket.closed.then(() => clearTimeout(timer));
}

/** The key may have been prolonged. One that cannot be looked up was not. */
async function expire(open: OpenSocket, end: End): Promise<void> {
  const caller = await open.checkKey().catch(() => undefined);
  if (caller === undefined || msUntil(caller.expiresAt) <= 0) await end(open, 'key');
  else endWithKey(open, caller.expiresAt, end);
}

/** A socket stays open while its key cannot be looked up. */
async function recheck(open: OpenSocket, end: End): Promise<void> {
  try {
    await open.checkKey();
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.code === 'invalid_api_key') await end(open, 'key');
  }
}

const shuttingDown = (): GatewayError =>
  new GatewayError('unavailable', 'This server is shutting down. Connect again.', { retryAfterMs: 1000 });

const tooMany = (limit: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `This key has ${limit} sockets open (MAX_SOCKETS_PER_KEY). Close some, or send requests without a socket.`,
    { retryAfterMs: 60_000 },
  );

const full = (): GatewayError =>
  new GatewayError(
    'overloaded',
    'This server has no sockets left (MAX_SOCKETS). Connect again later, or send requests without a socket.',
    { retryAfterMs: 60_000 },
  );
