import { GatewayError } from '@tallyport/contracts';
import type { ByteStream } from './link.ts';

export interface ByteQueueOwner {
  /** Called when the reader has consumed frames, so that the sender can be given credit. */
  consumed(frames: number, bytes: number): void;
  /** Called when the reader stops before the end. */
  readerLeft(): void;
}

/**
 * Waiting chunks are joined up to this size, so that one socket write covers them. The limit is below two full frames
 * of a large body: copying those costs more than writing them, which Node does in one call anyway.
 */
const joinLimit = 24 * 1024;

type Result = IteratorResult<Uint8Array, undefined>;
type State = { kind: 'open' } | { kind: 'ended' } | { kind: 'failed'; error: GatewayError } | { kind: 'left' };

const open: State = { kind: 'open' };
const ended: State = { kind: 'ended' };
const left: State = { kind: 'left' };
const done: Result = { done: true, value: undefined };

/** A queue with one writer and one reader. Credit bounds the writer, so the queue needs no limit itself. */
export class ByteQueue implements ByteStream, AsyncIterator<Uint8Array, undefined> {
  #owner: ByteQueueOwner;
  #waiting: Uint8Array[] = [];
  #state = open;
  #reader: { resolve(result: Result): void; reject(error: GatewayError): void } | undefined;

  constructor(owner: ByteQueueOwner) {
    this.#owner = owner;
  }

  push(bytes: Uint8Array): void {
    if (this.#state.kind !== 'open') return;
    this.#waiting.push(bytes);
    this.#wake();
  }

  end(): void {
    this.#become(ended);
  }

  fail(error: GatewayError): void {
    this.#become({ kind: 'failed', error });
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return this;
  }

  next(): Promise<Result> {
    if (this.#state.kind === 'failed' && this.#waiting.length === 0) return Promise.reject(this.#state.error);
    const result = this.#nextNow();
    if (result !== undefined) return Promise.resolve(result);
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  return(): Promise<Result> {
    this.cancel();
    return Promise.resolve(done);
  }

  cancel(): void {
    if (this.#state.kind === 'left') return;
    const unfinished = this.#state.kind === 'open';
    this.#waiting = [];
    this.#state = left;
    this.#wake();
    if (unfinished) this.#owner.readerLeft();
  }

  async bytes(limit = Infinity): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      // A short body is already complete: awaiting each step would cost more than reading it.
      const { value: chunk } = this.#nextNow() ?? (await this.next());
      if (chunk === undefined) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length);
      length += chunk.length;
      if (length > limit) {
        this.cancel();
        throw tooLarge(limit);
      }
      chunks.push(chunk);
    }
  }

  /** The next result, if it need not be waited for. */
  #nextNow(): Result | undefined {
    if (this.#waiting.length > 0) return { done: false, value: this.#take() };
    return this.#state.kind === 'ended' || this.#state.kind === 'left' ? done : undefined;
  }

  #become(state: State): void {
    if (this.#state.kind !== 'open') return;
    this.#state = state;
    this.#wake();
  }

  #wake(): void {
    const reader = this.#reader;
    if (!reader) return;
    const state = this.#state;
    if (state.kind === 'open' && this.#waiting.length === 0) return;
    this.#reader = undefined;
    if (this.#waiting.length > 0) reader.resolve({ done: false, value: this.#take() });
    else if (state.kind === 'failed') reader.reject(state.error);
    else reader.resolve(done);
  }

  #take(): Uint8Array {
    const waiting = this.#waiting;
    let count = 1;
    let bytes = waiting[0]!.length;
    while (count < waiting.length && bytes + waiting[count]!.length <= joinLimit) bytes += waiting[count++]!.length;
    this.#waiting = count === waiting.length ? [] : waiting.slice(count);
    this.#owner.consumed(count, bytes);
    return count === 1 ? waiting[0]! : Buffer.concat(waiting.slice(0, count), bytes);
  }
}

const tooLarge = (limit: number): GatewayError =>
  new GatewayError('request_too_large', `The body exceeds the limit of ${limit} bytes. Send a smaller one.`);
