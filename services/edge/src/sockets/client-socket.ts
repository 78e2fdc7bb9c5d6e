import type { Socket } from 'node:net';
import { GatewayError, toGatewayError } from '@tallyport/contracts';
import type { RawData, WebSocket } from 'ws';
import type { MemoryReservation } from '../http/memory-budget.ts';
import { type Closing, closings, type Ending, type OwnClosing } from './closings.ts';

interface ClientSocketOptions {
  webSocket: WebSocket;
  /** The connection below it. */
  connection: Socket;
  /** Counts the bytes of a message while it arrives. */
  reserve(): MemoryReservation;
}

/** What is done with the messages of a socket. */
export interface SocketSession {
  /** `bytes` are those of one message. They may be kept, and belong to no one else. */
  message(bytes: Buffer, isBinary: boolean): void;
  /** Reports an error in the form of the protocol, before the socket is closed because of it. */
  report(error: GatewayError): void;
  /**
   * Accepts no further work. Resolves when the running work has ended. With a deadline, work without an end of its own is
   * ended before it.
   */
  finish(why: Ending, deadlineMs?: number): Promise<void>;
}

/** Of one client, data and control frames together. Audio in both directions takes fifty a second. */
const mostPerSecond = 200;
/** What a client may leave unread before nothing more is read for it, in bytes. */
const mostUnread = 256 * 1024;
/** A client that causes messages without reading them is left at this. */
const mostUnasked = 1024 * 1024;
/** The arrival of a few bytes costs more memory than they have. */
const leastCounted = 512;
/** So much of a message may arrive before its bytes count. */
const uncounted = 4 * 1024;
/** How long a client that is refused may take to read why. */
const refusedMs = 500;
/** How often in a row `beat` finds nothing before the client is gone. */
const mostMisses = 2;

/** The socket of a client: bounds what it sends and what waits for it, and knows why it has ended. */
export class ClientSocket {
  readonly #webSocket: WebSocket;
  readonly #connection: Socket;
  readonly #reserve: () => MemoryReservation;
  readonly #closed = Promise.withResolvers<Closing>();
  #session: SocketSession | undefined;
  #closing: Closing | undefined;
  #arriving: MemoryReservation | undefined;
  /** What has arrived of a message, while it is not counted. */
  #begun = 0;
  #second = 0;
  #inSecond = 0;
  #misses = 0;
  #last = { read: 0, sent: 0, waiting: 0 };

  constructor({ webSocket, connection, reserve }: ClientSocketOptions) {
    this.#webSocket = webSocket;
    this.#connection = connection;
    this.#reserve = reserve;
    connection.prependListener('data', (chunk: Buffer) => this.#onBytes(chunk));
    webSocket.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    webSocket.on('ping', () => this.#onControl());
    webSocket.on('pong', () => this.#onControl());
    webSocket.on('error', (error: NodeJS.ErrnoException) => (this.#closing ??= faultOf(error)));
    webSocket.on('close', (code) => this.#onClose(code));
  }

  /** The first messages may be read as soon as this is called. */
  serve(session: SocketSession): void {
    this.#session = session;
  }

  /** Resolves once the connection is closed. */
  get closed(): Promise<Closing> {
    return this.#closed.promise;
  }

  get isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  /** Sends a message. Returns a promise if the client reads slowly: it resolves once there is room, or no client. */
  send(bytes: Buffer, kind: 'text' | 'binary' = 'text'): Promise<void> | undefined {
    if (!this.isOpen) return undefined;
    const options = kind === 'text' ? asText : asBinary;
    if (this.#webSocket.bufferedAmount < mostUnread) {
      this.#webSocket.send(bytes, options);
      return undefined;
    }
    return new Promise((resolve) => this.#webSocket.send(bytes, options, () => resolve()));
  }

  /** Sends a text without waiting, such as an error. A client that reads none of them is left. */
  sendUnasked(text: Buffer): void {
    if (this.#webSocket.bufferedAmount > mostUnasked) return this.leave('unread');
    void this.send(text);
  }

  /** Closes it with a frame that says why. What arrives meanwhile is not read. */
  close(closing: OwnClosing, text: string): void {
    if (!this.isOpen) return;
    this.#closing ??= closing;
    this.#webSocket.close(closings[closing].code, text);
  }

  /** The same for a session that has ended by itself, with its own code. */
  end(code: number, text: string): void {
    if (!this.isOpen) return;
    this.#closing ??= 'session';
    this.#webSocket.close(code, closeText(text));
  }

  /** Reads nothing more until `resume`. A client that is paused for long is left as one that is silent. */
  pause(): void {
    this.#webSocket.pause();
  }

  resume(): void {
    if (this.isOpen) this.#webSocket.resume();
  }

  /** Call it regularly. Leaves a client from which nothing arrives and that takes nothing. */
  beat(): void {
    if (!this.isOpen) return;
    const { bytesRead: read, bytesWritten, writableLength: waiting } = this.#connection;
    const now = { read, sent: bytesWritten - waiting, waiting };
    const isThere = read !== this.#last.read || (this.#last.waiting > 0 && now.sent !== this.#last.sent);
    this.#misses = isThere ? 0 : this.#misses + 1;
    this.#last = now;
    if (this.#misses > mostMisses) this.leave('silent');
    else this.#webSocket.ping();
  }

  /** Disconnects it. */
  leave(closing: Closing): void {
    this.#closing ??= closing;
    this.#webSocket.terminate();
  }

  #onBytes({ length }: Buffer): void {
    if (!this.isOpen || this.#webSocket.isPaused) return;
    const bytes = Math.max(length, leastCounted);
    if (this.#arriving === undefined && this.#begun + bytes <= uncounted) {
      this.#begun += bytes;
      return;
    }
    try {
      this.#arriving ??= this.#reserve();
      this.#arriving.grow(this.#begun + bytes);
      this.#begun = 0;
    } catch (thrown) {
      this.#refuse('memory', toGatewayError(thrown));
    }
  }

  /** A frame between those of messages, of which nothing is kept. */
  #onControl(): void {
    this.#begun = Math.max(0, this.#begun - leastCounted);
    this.#count();
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    this.#forgetArrived();
    if (!this.#count() || !this.isOpen) return;
    try {
      this.#session?.message(data as Buffer, isBinary);
    } catch (thrown) {
      this.#session?.report(toGatewayError(thrown));
    }
  }

  #forgetArrived(): void {
    this.#arriving?.release();
    this.#arriving = undefined;
    this.#begun = 0;
  }

  /** `false` if it was one too many. */
  #count(): boolean {
    const second = Math.floor(performance.now() / 1000);
    this.#inSecond = second === this.#second ? this.#inSecond + 1 : 1;
    this.#second = second;
    if (this.#inSecond <= mostPerSecond) return true;
    this.#refuse('too_fast', tooFast());
    return false;
  }

  #refuse(closing: OwnClosing, error: GatewayError): void {
    this.#session?.report(error);
    this.close(closing, closeText(error.message));
    // Its client may go on sending, and its own close frame would be behind that.
    this.#webSocket.pause();
    setTimeout(() => this.#webSocket.terminate(), refusedMs).unref();
  }

  #onClose(code: number): void {
    this.#forgetArrived();
    this.#closed.resolve(this.#closing ?? (code === abnormal ? 'lost' : 'client'));
  }
}

const tooFast = (): GatewayError =>
  new GatewayError('rate_limit_exceeded', `A socket reads ${mostPerSecond} messages in a second. Send fewer.`);

const asText = { binary: false } as const;
const asBinary = { binary: true } as const;

/** A connection that ended without a close frame. */
const abnormal = 1006;

const faultOf = ({ code = '' }: NodeJS.ErrnoException): Closing => {
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return 'too_large';
  return code.startsWith('WS_ERR') ? 'invalid' : 'lost';
};

/** A close frame has room for 123 bytes. */
const mostCloseText = 120;

const closeText = (text: string): string =>
  Buffer.from(text)
    .subarray(0, mostCloseText)
    .toString()
    .replace(/\uFFFD+$/, '');
