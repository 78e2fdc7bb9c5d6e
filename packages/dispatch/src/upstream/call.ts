import type { Dispatcher } from 'undici';
import { UpstreamFailure, asUpstreamFailure } from './failure.ts';

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
 * Chunks that arrive in one socket read are handed over together, in one asynchronous step.
 */
export class UpstreamCall implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  #controller: Dispatcher.DispatchController | undefined;
  #head: UpstreamHead | undefined;
  #headWaiter: Waiter<UpstreamHead> | undefined;
  #bodyWaiter: Waiter<Buffer[] | undefined> | undefined;
  #chunks: Buffer[] = [];
  #unreadBytes = 0;
  #receivedBytes = 0;
  #ended = false;
  #failure: UpstreamFailure | undefined;
  #wakeScheduled = false;
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

  /** What has arrived since the last time, at least one chunk; `undefined` at a proper end. One reader at a time. */
  read(): Promise<Buffer[] | undefined> {
    if (this.#chunks.length > 0) return Promise.resolve(this.#take());
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#bodyWaiter = { resolve, reject };
    });
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
    this.#take();
    this.#graceTimer = setTimeout(() => this.abort(new UpstreamFailure('left', 'went on after its end')), graceMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Left while it waited for a connection.
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    // 1xx answers are about the way, not the answer.
    if (status < 200) return;
    this.#head = { status, headers };
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
    if (this.#bodyWaiter !== undefined && !this.#wakeScheduled) this.#scheduleWake();
  }

  onResponseEnd(): void {
    this.#ended = true;
    clearTimeout(this.#graceTimer);
    if (this.#bodyWaiter !== undefined && !this.#wakeScheduled) this.#wake();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#fail(asUpstreamFailure(error, this.#head !== undefined));
  }

  /** After the parser has gone through the whole socket read: a microtask runs when its loop is done. */
  #scheduleWake(): void {
    this.#wakeScheduled = true;
    queueMicrotask(() => {
      this.#wakeScheduled = false;
      this.#wake();
    });
  }

  #wake(): void {
    const waiter = this.#bodyWaiter;
    if (waiter === undefined) return;
    this.#bodyWaiter = undefined;
    if (this.#chunks.length > 0) waiter.resolve(this.#take());
    else if (this.#failure !== undefined) waiter.reject(this.#failure);
    else if (this.#ended) waiter.resolve(undefined);
    else this.#bodyWaiter = waiter;
  }

  #take(): Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#unreadBytes = 0;
    if (this.#controller?.paused === true) this.#controller.resume();
    return chunks;
  }

  #fail(failure: UpstreamFailure): void {
    if (this.#failure !== undefined || this.#ended) return;
    this.#failure = failure;
    clearTimeout(this.#graceTimer);
    this.#headWaiter?.reject(failure);
    this.#headWaiter = undefined;
    if (!this.#wakeScheduled) this.#wake();
  }
}
