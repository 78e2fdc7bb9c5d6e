import { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { buildConnector } from 'undici';
import { type CachedLookup, lookupForNode } from '../names/cached-lookup.ts';
import { awaitReset } from './await-reset.ts';
import { interimFilter } from './interim-answers.ts';
import { measureRoundTrip, type RoundTrip } from './round-trip.ts';
import { isReset, UnansweredEnd } from './unread.ts';
import { codeOf } from './upstream-failure.ts';

export type Connector = buildConnector.connector;

interface ConnectorOptions {
  timeoutMs: number;
  names: CachedLookup;
  /** Where the round trips of new connections are recorded. */
  roundTrip?: RoundTrip;
}

/** Idle connections are probed by the system, so that no firewall forgets them and dead ones are found. */
const probeIdleMs = 15_000;
const mostSessions = 100;

/**
 * Connects sockets that drop interim answers (`100 Continue`): undici fails on one that it did not request. Node tries
 * the addresses of both families in turn, and a name whose remembered addresses fail is looked up again.
 */
export function createConnector({ timeoutMs, names, roundTrip }: ConnectorOptions): Connector {
  const connectOnce = buildConnector({
    timeout: timeoutMs,
    lookup: lookupForNode(names.lookup),
    keepAliveInitialDelay: probeIdleMs,
    maxCachedSessions: mostSessions,
    // Whether a reset follows an end is only seen by writing.
    allowHalfOpen: true,
    allowH2: false,
  });
  // undici resumes sessions of TLS, but remembers each only while something else refers to it.
  const sessions = new LRUCache<string, Buffer>({ max: mostSessions });
  const connect: Connector = (target, callback) => {
    const socket: unknown = connectOnce(target, callback);
    if (!(socket instanceof Socket)) return;
    socket.on('session', (session: Buffer) => sessions.set(target.hostname, session));
    if (roundTrip !== undefined) measureRoundTrip(socket, roundTrip, { isSecure: target.protocol === 'https:' });
  };
  return (target, callback) => {
    const finish: typeof callback = (...result) => {
      if (result[0] === null) prepare(result[1], roundTrip);
      callback(...result);
    };
    connect(target, (...result) => {
      if (result[0] !== null && names.forget(target.hostname) && !isTimeout(result[0])) connect(target, finish);
      else finish(...result);
    });
  };
}

const isTimeout = (error: Error): boolean => codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT';

/**
 * Passes what the parser reads from the socket through the filter, which checks only the beginning of each answer. An
 * end instead of an answer waits until it is known whether the request was refused.
 */
function prepare(socket: Socket, roundTrip: RoundTrip | undefined): void {
  const filter = interimFilter();
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  const emit = socket.emit.bind(socket);
  let writtenAt = 0;
  Object.assign(socket, {
    read(size?: number): Buffer | null {
      const bytes: Buffer | null = read(size);
      return bytes === null ? null : filter.filter(bytes);
    },
    write(...parts: Parameters<Socket['write']>): boolean {
      filter.requestWritten();
      writtenAt = performance.now();
      return write(...parts);
    },
    emit(event: string, ...values: unknown[]): boolean {
      if (roundTrip === undefined || !filter.isWaiting()) return emit(event, ...values);
      const sinceWrittenMs = performance.now() - writtenAt;
      const [error] = values;
      if (event === 'error' && isReset(error)) return emit(event, new UnansweredEnd(sinceWrittenMs, error));
      if (event !== 'end') return emit(event, ...values);
      const end = new UnansweredEnd(sinceWrittenMs);
      if (sinceWrittenMs < roundTrip.leastMs()) socket.destroy(end);
      else awaitReset(socket, end);
      return true;
    },
  });
}
