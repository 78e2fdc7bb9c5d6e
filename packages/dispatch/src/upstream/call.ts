import type { Dispatcher } from 'undici';
import { UpstreamFailure, asUpstreamFailure } from '../failure/upstream-failure.ts';

/** More than this unread, and the provider's socket is left alone until the reader has caught up. */
const pauseAboveBytes = 256 * 1024;

export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface UpstreamHead {
  status: number;
  headers: UpstreamHeaders;
}

interface Waiter<Value> {
  resolve(value: Value): void;
  reject(error: UpstreamFailure): void;
}

/**
 * One request on the wire, as undici's handler and its reader in one object: at stream rates every further layer shows.
 * `ready` then `take`: by the time the reader runs, everything of one socket read is there and is taken together.
 */
export class UpstreamCall implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
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

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Status and headers. Rejects with UpstreamFailure when the provider does not get that far. */
  head(): Promise<UpstreamHead> {
    if (this.#head !== undefined) return Promise.resolve(this.#head);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#headWaiter = { resolve, reject };
    });
  }

  /** Resolves with `true` when there is something to take, with `false` at a proper end. One reader at a time. */
  ready(): Promise<boolean> {
    if (this.#chunks.length > 0) return Promise.resolve(true);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#ended) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      this.#bodyWaiter = { resolve, reject };
    });
  }

  /** What has arrived since the last time. The provider may go on sending. */
  take(): Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#unreadBytes = 0;
    if (this.#controller?.paused === true) this.#controller.resume();
    return chunks;
  }

  /** Closes the socket now. Nothing unread is delivered any more. */
  abort(failure: UpstreamFailure): void {
    if (this.#ended && this.#chunks.length === 0) return;
    this.#chunks = [];
    this.#unreadBytes = 0;
    this.#fail(failure);
    this.#controller?.abort(failure);
  }

  /** The reader has all it wants: what still comes is dropped, so that the connection can be kept. */
  discardRest(graceMs: number): void {
    if (this.#ended || this.#failure !== undefined) return;
    this.#discarding = true;
    this.take();
    this.#graceTimer = setTimeout(() => this.abort(new UpstreamFailure('left', 'went on after its end')), graceMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Left while it waited for a connection.
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    // 1xx answers are about the way, not the answer.
    if (status < 200) return;
    this.#head = { status, headers };
    // They are parts of what the socket read, which a long stream would keep alive with them.
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
    this.#settleWaiter(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#fail(asUpstreamFailure(error, this.#head !== undefined));
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
