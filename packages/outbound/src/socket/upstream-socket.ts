import type { SocketMessage } from '@tallyport/wire';
import type { RawData, WebSocket } from 'ws';
import { UpstreamFailure } from '../http/upstream-failure.ts';

/** With more unread bytes than this, the vendor's connection is paused until the reader has caught up. */
const pauseAboveBytes = 256 * 1024;
/** What the vendor may leave unread before `send` waits. */
const mostUnread = 256 * 1024;
/** A vendor that takes nothing for so long is left. */
const longestUnreadMs = 30_000;
const beatMs = 15_000;
/** So many pings in a row may stay without an answer. */
const mostMisses = 2;

/** The open socket of a vendor. */
export class UpstreamSocket {
  readonly #webSocket: WebSocket;
  #arrived: SocketMessage[] = [];
  #arrivedBytes = 0;
  #waiter: ((message: SocketMessage | undefined) => void) | undefined;
  #failure: UpstreamFailure | undefined;
  #isOver = false;
  #misses = 0;
  readonly #beating: NodeJS.Timeout;

  constructor(webSocket: WebSocket) {
    this.#webSocket = webSocket;
    webSocket.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    webSocket.on('pong', () => (this.#misses = 0));
    webSocket.on('error', (error: NodeJS.ErrnoException) => (this.#failure ??= failureOf(error)));
    webSocket.on('close', (code, reason) => this.#onClose(code, reason));
    this.#beating = setInterval(() => this.#beat(), beatMs).unref();
  }

  /** The next message, the close of the vendor included; `undefined` behind it. Rejects with UpstreamFailure. One reader at a time. */
  async read(): Promise<SocketMessage | undefined> {
    const next = this.#arrived.shift();
    if (next !== undefined) return this.#taken(next);
    if (!this.#isOver) {
      const message = await new Promise<SocketMessage | undefined>((resolve) => (this.#waiter = resolve));
      if (message !== undefined) return message;
    }
    if (this.#failure !== undefined) throw this.#failure;
    return undefined;
  }

  /** Returns a promise if the vendor reads slowly: it resolves once there is room, and the socket is left if there is none in time. */
  send({ kind, bytes }: Exclude<SocketMessage, { kind: 'close' }>): Promise<void> | undefined {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return undefined;
    const binary = kind === 'binary';
    if (this.#webSocket.bufferedAmount < mostUnread) {
      this.#webSocket.send(bytes, { binary });
      return undefined;
    }
    return new Promise((resolve) => {
      const stalled = new UpstreamFailure('stalled', 'did not read what was sent');
      const timer = setTimeout(() => this.abort(stalled), longestUnreadMs);
      this.#webSocket.send(bytes, { binary }, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  close(code = 1000): void {
    this.#webSocket.resume();
    this.#webSocket.close(code);
  }

  /** Disconnects it. What has arrived can still be read. */
  abort(failure: UpstreamFailure): void {
    if (!this.#isOver) this.#failure ??= failure;
    this.#webSocket.terminate();
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    this.#misses = 0;
    this.#arrive({ kind: isBinary ? 'binary' : 'text', bytes: data as Buffer });
  }

  #arrive(message: SocketMessage): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (waiter !== undefined) return waiter(message);
    this.#arrived.push(message);
    this.#arrivedBytes += sizeOf(message);
    if (this.#arrivedBytes > pauseAboveBytes) this.#webSocket.pause();
  }

  #taken(message: SocketMessage): SocketMessage {
    this.#arrivedBytes -= sizeOf(message);
    if (this.#webSocket.isPaused && this.#arrivedBytes <= pauseAboveBytes) this.#webSocket.resume();
    return message;
  }

  #onClose(code: number, reason: Buffer): void {
    this.#isOver = true;
    clearInterval(this.#beating);
    if (code === withoutFrame) this.#failure ??= new UpstreamFailure('cut', 'cut its session off');
    else this.#arrive({ kind: 'close', code, reason: reason.toString() });
    this.#waiter?.(undefined);
    this.#waiter = undefined;
  }

  /** While it is paused, nothing of the vendor can arrive. */
  #beat(): void {
    if (this.#webSocket.isPaused) return;
    this.#misses += 1;
    if (this.#misses > mostMisses) this.abort(new UpstreamFailure('stalled', 'did not answer pings'));
    else this.#webSocket.ping();
  }
}

/** A connection that ended without a close frame. */
const withoutFrame = 1006;

/** What it costs to keep one, beside its bytes. */
const overheadBytes = 128;

const sizeOf = (message: SocketMessage): number =>
  overheadBytes + (message.kind === 'close' ? 0 : message.bytes.length);

function failureOf(error: NodeJS.ErrnoException): UpstreamFailure {
  const isTooLarge = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
  if (isTooLarge) return new UpstreamFailure('too_large', 'sent a message that is too large', { cause: error });
  return new UpstreamFailure('cut', 'cut its session off', { cause: error });
}
