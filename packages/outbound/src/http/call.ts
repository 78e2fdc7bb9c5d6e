import type { Dispatcher } from 'undici';
import type { RoundTrip } from './round-trip.ts';
import { isUnread } from './unread.ts';
import { UpstreamFailure, asUpstreamFailure } from './upstream-failure.ts';

/** With more unread bytes than this, the provider's socket is paused until the reader has caught up. */
const pauseAboveBytes = 256 * 1024;

export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface UpstreamHead {
  status: number;
  headers: UpstreamHeaders;
}

export interface UpstreamCallOptions {
  /** The largest body that is read. */
  maxBytes: number;
  /** Called once the whole request has been handed to the socket; again if it was sent again. */
  onSent?: () => void;
  /** Takes `onSent` back: the server cannot have read the request. */
  onUnread?: () => void;
  /** Sends the request again, on a new connection. Called at most once, if the server cannot have read it. */
  repeat?: () => void;
}

/** `warm`: open before the request. `new`: opened for it. `repeated`: one ended unread, and the request was sent again. */
export const connectionUses = ['warm', 'new', 'repeated'] as const;
export type ConnectionUse = (typeof connectionUses)[number];

/** The connection of a call, as its pool sees it. */
export interface CallConnection {
  /** Whether it was open before the request was made. */
  readonly isWarm: boolean;
  /** The head of the answer has arrived, so long after the request was sent. */
  answered(headers: UpstreamHeaders, afterMs: number): void;
  /** The answer has ended. */
  free(): void;
  /** The call has failed. */
  drop(): void;
}

interface Waiter<Value> {
  resolve(value: Value): void;
  reject(error: UpstreamFailure): void;
}

/**
 * One request on the wire. It is undici's handler and its reader in one object, because further layers are measurable
 * at the rate of streams. Call `ready`, then `take`, which returns everything that one read of the socket brought.
 */
export class UpstreamCall implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #onSent: (() => void) | undefined;
  readonly #onUnread: (() => void) | undefined;
  #repeat: (() => void) | undefined;
  #wasRepeated = false;
  #connection: CallConnection | undefined;
  #roundTrip: Pick<RoundTrip, 'leastMs'> | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #head: UpstreamHead | undefined;
  #headWaiter: Waiter<UpstreamHead> | undefined;
  #bodyWaiter: Waiter<boolean> | undefined;
  #chunks: Buffer[] = [];
  #unreadBytes = 0;
  #receivedBytes = 0;
  #ended = false;
  #failure: UpstreamFailure | undefined;
  #discarding = false;
  #graceTimer: NodeJS.Timeout | undefined;
  /** When the whole request was handed to the socket. */
  #sentAt: number | undefined;
  #isAnswered = false;

  constructor({ maxBytes, onSent, onUnread, repeat }: UpstreamCallOptions) {
    this.#maxBytes = maxBytes;
    this.#onSent = onSent;
    this.#onUnread = onUnread;
    this.#repeat = repeat;
  }

  /** Called by the pool before it sends the request. */
  use(connection: CallConnection, roundTrip: Pick<RoundTrip, 'leastMs'>): void {
    this.#connection = connection;
    this.#roundTrip = roundTrip;
    this.#controller = undefined;
    this.#sentAt = undefined;
  }

  /** The connection that got the request; `undefined` before one got all of it. */
  connectionUse(): ConnectionUse | undefined {
    if (this.#sentAt === undefined) return undefined;
    if (this.#wasRepeated) return 'repeated';
    return this.#connection?.isWarm === true ? 'warm' : 'new';
  }

  /** Status and headers. Rejects with UpstreamFailure if none arrive. */
  head(): Promise<UpstreamHead> {
    if (this.#head !== undefined) return Promise.resolve(this.#head);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#headWaiter = { resolve, reject };
    });
  }

  /** Resolves with `true` if there are bytes to take, with `false` at a proper end. One reader at a time. */
  ready(): Promise<boolean> {
    if (this.#chunks.length > 0) return Promise.resolve(true);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#ended) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      this.#bodyWaiter = { resolve, reject };
    });
  }

  /** Takes what has arrived since the last call. Resumes a paused socket. */
  take(): Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#unreadBytes = 0;
    if (this.#controller?.paused === true) this.#controller.resume();
    return chunks;
  }

  /** Closes the socket at once and discards unread bytes. */
  abort(failure: UpstreamFailure): void {
    if (this.#ended && this.#chunks.length === 0) return;
    this.#chunks = [];
    this.#unreadBytes = 0;
    this.#fail(failure);
    this.#controller?.abort(failure);
  }

  /** Drops the rest of the body, so that the connection can be reused. Closes it if the body does not end in time. */
  discardRest(graceMs: number): void {
    if (this.#ended || this.#failure !== undefined) return;
    this.#discarding = true;
    this.take();
    this.#graceTimer = setTimeout(() => this.abort(new UpstreamFailure('left', 'went on after its end')), graceMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Aborted while waiting for a connection.
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onRequestSent(): void {
    this.#sentAt = performance.now();
    this.#onSent?.();
  }

  onResponseStarted(): void {
    this.#isAnswered = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    // 1xx responses are interim.
    if (status < 200) return;
    this.#connection?.answered(headers, this.#sinceSentMs());
    this.#head = { status, headers };
    // Raw headers are views of the socket's buffer, which a long stream would keep in memory.
    controller.rawHeaders = null;
    this.#headWaiter?.resolve(this.#head);
    this.#headWaiter = undefined;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > this.#maxBytes) {
      this.abort(new UpstreamFailure('too_large', `sent more than ${this.#maxBytes} bytes`));
      return;
    }
    if (this.#discarding) return;
    this.#chunks.push(chunk);
    this.#unreadBytes += chunk.length;
    if (this.#unreadBytes > pauseAboveBytes) controller.pause();
    this.#settleWaiter(true);
  }

  onResponseEnd(): void {
    this.#ended = true;
    clearTimeout(this.#graceTimer);
    this.#connection?.free();
    this.#settleWaiter(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const isRepeatable = this.#failure === undefined && this.#isUnread(error);
    if (isRepeatable && this.#sentAt !== undefined) this.#onUnread?.();
    this.#connection?.drop();
    const repeat = this.#repeat;
    if (!isRepeatable || repeat === undefined) {
      this.#fail(asUpstreamFailure(error, { headSeen: this.#head !== undefined }));
      return;
    }
    this.#repeat = undefined;
    this.#wasRepeated = true;
    repeat();
  }

  #isUnread(error: Error): boolean {
    return isUnread(error, {
      wasSent: this.#sentAt !== undefined,
      isAnswered: this.#isAnswered,
      isWarm: this.#connection?.isWarm === true,
      roundTripMs: this.#roundTrip?.leastMs() ?? 0,
    });
  }

  #sinceSentMs(): number {
    return this.#sentAt === undefined ? Infinity : performance.now() - this.#sentAt;
  }

  #settleWaiter(more: boolean): void {
    const waiter = this.#bodyWaiter;
    if (waiter === undefined) return;
    this.#bodyWaiter = undefined;
    waiter.resolve(more);
  }

  #fail(failure: UpstreamFailure): void {
    if (this.#failure !== undefined || this.#ended) return;
    this.#failure = failure;
    clearTimeout(this.#graceTimer);
    this.#headWaiter?.reject(failure);
    this.#headWaiter = undefined;
    this.#bodyWaiter?.reject(failure);
    this.#bodyWaiter = undefined;
  }
}
