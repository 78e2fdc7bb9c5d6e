import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { CallConnection, UpstreamHeaders } from './call.ts';
import type { Connector } from './connector.ts';

/** What the owner of a connection learns about it. */
interface ConnectionEvents {
  answered(headers: UpstreamHeaders, afterMs: number): void;
  /** It can be used for another request. */
  freed(connection: Connection): void;
  /** It cannot be used any more. */
  failed(connection: Connection): void;
  /** It ended while it was idle; `byServer` if it was not our end. */
  ended(connection: Connection, byServer: boolean): void;
}

interface ConnectionOptions {
  connect: Connector;
  /** Longer than the owner keeps any connection. */
  keepAliveMs: number;
  events: ConnectionEvents;
}

/** One connection to an origin, for one request at a time. It is opened for the first of them or ahead of it. */
export class Connection implements CallConnection {
  isWarm = false;
  /** Whether a request has been answered on it. */
  wasUsed = false;
  /** When it became idle; `undefined` while it is in use. */
  idleSince: number | undefined;
  readonly #origin: string;
  readonly #connect: Connector;
  readonly #events: ConnectionEvents;
  readonly #client: Client;
  #ahead: Promise<Socket> | undefined;
  #closes = false;

  constructor(origin: string, { connect, keepAliveMs, events }: ConnectionOptions) {
    this.#origin = origin;
    this.#connect = connect;
    this.#events = events;
    this.#client = new Client(origin, {
      connect: (target, callback) => this.#connectOrTake(target, callback),
      // A stream owns its connection: leaving it closes one socket, and no other stream waits behind it.
      pipelining: 1,
      allowH2: false,
      // The attempt's timers distinguish content from keep-alives and a slow reader from a slow provider; undici's do
      // not.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      keepAliveTimeoutThreshold: 0,
    });
    this.#client.on('disconnect', (_origin, _targets, error) => this.#ended(error.code !== 'UND_ERR_INFO'));
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(request, handler);
  }

  /** Connects before there is a request. Rejects if that fails. */
  async openAhead(): Promise<void> {
    this.#ahead = new Promise((resolve, reject) => {
      this.#connect(targetOf(this.#origin), (...[error, socket]) => (error === null ? resolve(socket) : reject(error)));
    });
    const socket = await this.#ahead;
    // Until a request takes the socket, nothing else listens to it.
    socket.unref();
    socket
      .on('error', () => undefined)
      .once('end', endSocket)
      .once('close', this.#endedAhead);
  }

  answered(headers: UpstreamHeaders, afterMs: number): void {
    this.#closes = /\bclose\b/i.test(String(headers.connection));
    this.#events.answered(headers, afterMs);
  }

  free(): void {
    this.wasUsed = true;
    if (this.#closes) this.#events.failed(this);
    else this.#events.freed(this);
  }

  drop(): void {
    this.#events.failed(this);
  }

  destroy(): Promise<void> {
    this.#ahead?.then(
      (socket) => socket.destroy(),
      () => undefined,
    );
    return this.#client.destroy();
  }

  /** Takes the socket that was opened ahead, if there is one. */
  #connectOrTake(...[target, callback]: Parameters<Connector>): void {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead === undefined) return this.#connect(target, callback);
    const take = (socket: Socket): void => {
      if (socket.destroyed || socket.readableEnded) this.#connect(target, callback);
      else callback(null, socket.off('end', endSocket).off('close', this.#endedAhead).ref());
    };
    ahead.then(
      // The socket is read once more before: the server may have closed it.
      (socket) => setImmediate(() => setImmediate(take, socket)),
      (error: Error) => callback(error, null),
    );
  }

  #endedAhead = (): void => this.#ended(true);

  /** A request that was not written yet is sent by undici on a new connection. */
  #ended(byServer: boolean): void {
    this.isWarm = false;
    if (this.idleSince !== undefined) this.#events.ended(this, byServer);
  }
}

function endSocket(this: Socket): void {
  this.destroy();
}

function targetOf(origin: string): Parameters<Connector>[0] {
  const { host, hostname, protocol, port } = new URL(origin);
  return { host, hostname: hostname.replace(/^\[|\]$/g, ''), protocol, port };
}
