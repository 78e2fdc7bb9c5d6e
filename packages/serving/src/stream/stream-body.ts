import { errorBody, toGatewayError } from '@tallyport/contracts';
import { encodeSse, sseComment, sseDone } from '@tallyport/wire';

/** A source of a stream's bytes. `read` resolves with `undefined` at a proper end. */
export interface StreamSource {
  read(): Promise<Uint8Array | undefined>;
  /** Called when the reader leaves. */
  cancel(): void;
}

export interface StreamBodyOptions {
  source: StreamSource;
  keepAliveMs: number;
  /** Awaited before the last event, also after an error. Never rejects. */
  settled?: () => Promise<void>;
}

const keepAlive = sseComment();
const done = sseDone();

/**
 * The bytes of an event stream: those of the source, a comment whenever it is silent for too long, and `[DONE]` or an
 * error event at the end. Comments never split an event, because the source returns whole events.
 */
export class StreamBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #source: StreamSource;
  readonly #settled: (() => Promise<void>) | undefined;
  readonly #ticker: NodeJS.Timeout;
  /** Nothing was sent since the last tick. */
  #silent = false;
  #waiter: ((result: IteratorResult<Uint8Array, undefined>) => void) | undefined;
  #ready: Uint8Array | undefined;
  #reading = false;
  #over = false;

  constructor({ source, keepAliveMs, settled }: StreamBodyOptions) {
    this.#source = source;
    this.#settled = settled;
    // Two ticks make up the interval, which is cheaper than a new timer per chunk and never later than requested.
    this.#ticker = setInterval(() => this.#onTick(), keepAliveMs / 2);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const ready = this.#ready;
    if (ready !== undefined) {
      this.#ready = undefined;
      return Promise.resolve({ done: false, value: ready });
    }
    if (this.#over) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.#waiter = resolve;
      if (!this.#reading) this.#read();
    });
  }

  /** Called when the reader leaves, also during a read. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#finish();
    this.#source.cancel();
    this.#waiter?.({ done: true, value: undefined });
    this.#waiter = undefined;
    return Promise.resolve({ done: true, value: undefined });
  }

  #read(): void {
    this.#reading = true;
    this.#source.read().then(
      (bytes) => this.#arrived(bytes),
      (thrown: unknown) => this.#failed(thrown),
    );
  }

  #arrived(bytes: Uint8Array | undefined): void {
    this.#reading = false;
    if (this.#over) return;
    if (bytes === undefined) this.#end(done);
    else this.#give(bytes);
  }

  #failed(thrown: unknown): void {
    this.#reading = false;
    if (this.#over) return;
    this.#end(encodeSse(JSON.stringify(errorBody(toGatewayError(thrown)))));
  }

  #end(last: Uint8Array): void {
    this.#finish();
    if (this.#settled === undefined) this.#give(last);
    else void this.#settled().then(() => this.#give(last));
  }

  #give(bytes: Uint8Array): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    this.#silent = false;
    if (waiter === undefined) this.#ready = bytes;
    else waiter({ done: false, value: bytes });
  }

  /** Sends a comment only if a reader was waiting during the silence: a slow reader needs none. */
  #onTick(): void {
    if (this.#silent && this.#waiter !== undefined) this.#give(keepAlive);
    else this.#silent = true;
  }

  #finish(): void {
    this.#over = true;
    clearInterval(this.#ticker);
  }
}
