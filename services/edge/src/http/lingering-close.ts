import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { discardBody } from './unread-body.ts';

/** How much is still read from clients that have their response. */
export interface LingerBounds {
  /** Connections that linger at once. Further ones are closed without reading on. */
  connections: number;
  /** Of one connection. */
  bytes: number;
  ms: number;
}

/** The bytes are enough for the largest bodies that a gateway is asked to accept, so that their senders learn the limit. */
const usualBounds: LingerBounds = { connections: 256, bytes: 64 * 1024 ** 2, ms: 1_000 };

const latest = Symbol('the latest request of a connection');
const lingering = Symbol('whether a connection reads on before it is closed');

interface HttpSocket extends Socket {
  [latest]?: IncomingMessage;
  [lingering]?: true;
}

/**
 * Lets clients that are still sending read their response. If a socket is closed while bytes arrive, the system sends a
 * reset, and most clients then report a broken connection instead of the response. So a connection that Node would
 * close first reads and discards the rest of the request, within bounds.
 */
export class LingeringClose {
  readonly #bounds: LingerBounds;
  #open = 0;

  constructor(server: Server, bounds: LingerBounds = usualBounds) {
    this.#bounds = bounds;
    server.on('connection', (socket: Socket) => this.#watch(socket));
  }

  /** Call it with each request. A connection serves none after the response that announced its end. */
  accepts(request: IncomingMessage): boolean {
    const socket: HttpSocket = request.socket;
    socket[latest] = request;
    return socket[lingering] === undefined;
  }

  has(socket: HttpSocket): boolean {
    return socket[lingering] === true;
  }

  /** Closes the connection when `request` is complete or a bound is reached; at once if too many linger. */
  close(socket: HttpSocket, request?: IncomingMessage): void {
    const destroySoon = (): void => socket.destroySoon();
    if (this.#open >= this.#bounds.connections) return destroySoon();
    socket[lingering] = true;
    this.#open += 1;
    const stopTimer = this.#limit(socket, destroySoon);
    socket.once('close', () => {
      stopTimer();
      this.#open -= 1;
    });
    if (request === undefined) return undefined;
    request.once('end', destroySoon);
    return discardBody(request);
  }

  /** Node calls `destroySoon` after a response with `connection: close`, whether or not the request is complete. */
  #watch(socket: HttpSocket): void {
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      socket.destroySoon = destroySoon;
      const request = socket[latest];
      if (request === undefined || request.complete || this.has(socket)) destroySoon();
      else this.close(socket, request);
    };
  }

  /** Calls `onBound` when a bound is reached. The returned function stops the timer. */
  #limit(socket: Socket, onBound: () => void): () => void {
    const mostRead = socket.bytesRead + this.#bounds.bytes;
    socket.on('data', () => {
      if (socket.bytesRead > mostRead) onBound();
    });
    const timer = setTimeout(onBound, this.#bounds.ms).unref();
    return () => clearTimeout(timer);
  }
}
