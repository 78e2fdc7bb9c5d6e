import { toGatewayError } from '@tallyport/contracts';
import { type AnswerEvent, joinPieces, joinShortPieces } from '@tallyport/wire';
import type { StreamForm } from './api-form.ts';

/** A source of bytes that a provider sends. `read` resolves with `undefined` at a proper end. */
export interface ByteSource extends Source<Uint8Array> {}

/** A source of a stream's events. */
export interface StreamSource extends Source<readonly AnswerEvent[]> {}

export interface Source<Piece> {
  read(): Promise<Piece | undefined>;
  /** Called when the reader leaves. */
  cancel(): void;
}

export interface StreamBodyOptions {
  source: StreamSource;
  form: StreamForm;
  keepAliveMs: number;
  /** Awaited before the last event, also after an error. Never rejects. */
  settled?: () => Promise<void>;
}

/**
 * The bytes of an event stream: the events of the source as its form writes them, something harmless whenever it is silent
 * for too long, and the form's end or its error. Nothing is sent in the middle of an event.
 */
export class StreamBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #source: StreamSource;
  readonly #form: StreamForm;
  readonly #settled: (() => Promise<void>) | undefined;
  readonly #ticker: NodeJS.Timeout;
  /** Nothing was sent since the last tick. */
  #silent = false;
  #waiter: ((result: IteratorResult<Uint8Array, undefined>) => void) | undefined;
  #ready: Buffer[] = [];
  #reading = false;
  #over = false;
  /** The source has ended, and its last pieces are not there yet. */
  #ending = false;
  #failed = false;
  #isApart = false;

  constructor({ source, form, keepAliveMs, settled }: StreamBodyOptions) {
    this.#source = source;
    this.#form = form;
    this.#settled = settled;
    // Two ticks make up the interval, which is cheaper than a new timer per chunk and never later than requested.
    this.#ticker = setInterval(() => this.#onTick(), keepAliveMs / 2);
  }

  /** Whether it has ended with an error. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Reads each event by itself, and nothing in silence. */
  eventByEvent(): this {
    this.#isApart = true;
    return this;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const ready = this.#ready.shift();
    if (ready !== undefined) return Promise.resolve({ done: false, value: ready });
    if (this.#over && !this.#ending) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.#waiter = resolve;
      if (!this.#reading && !this.#ending) this.#read();
    });
  }

  /** Called when the reader leaves, also during a read. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#finish();
    this.#ending = false;
    this.#source.cancel();
    this.#ready = [];
    this.#waiter?.({ done: true, value: undefined });
    this.#waiter = undefined;
    return Promise.resolve({ done: true, value: undefined });
  }

  #read(): void {
    this.#reading = true;
    this.#source.read().then(
      (events) => this.#arrived(events),
      (thrown: unknown) => this.#end(() => this.#failure(thrown)),
    );
  }

  #arrived(events: readonly AnswerEvent[] | undefined): void {
    this.#reading = false;
    if (this.#over) return;
    if (events === undefined) return this.#end(() => this.#form.end());
    try {
      const pieces = this.#written(events);
      // A form may leave events out.
      if (pieces.length === 0) this.#read();
      else this.#give(pieces);
    } catch (thrown) {
      this.#source.cancel();
      this.#end(() => this.#failure(thrown));
    }
  }

  #written(events: readonly AnswerEvent[]): Buffer[] {
    if (!this.#isApart) return joinShortPieces(this.#form.write(events));
    return events.map((event) => joinPieces(this.#form.write([event]))).filter(({ length }) => length > 0);
  }

  #failure(thrown: unknown): Buffer[] {
    this.#failed = true;
    return this.#form.fail(toGatewayError(thrown));
  }

  #end(last: () => Buffer[] | Promise<Buffer[]>): void {
    if (this.#over) return;
    this.#finish();
    this.#ending = true;
    void this.#lastPieces(last).then((pieces) => {
      // The reader may have left meanwhile.
      if (!this.#ending) return;
      this.#ending = false;
      this.#give(joinShortPieces(pieces));
    });
  }

  async #lastPieces(last: () => Buffer[] | Promise<Buffer[]>): Promise<Buffer[]> {
    await this.#settled?.();
    try {
      return await last();
    } catch (thrown) {
      return this.#failure(thrown);
    }
  }

  #give(pieces: Buffer[]): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    this.#silent = false;
    this.#ready = pieces;
    if (waiter === undefined) return;
    const value = this.#ready.shift();
    waiter(value === undefined ? { done: true, value } : { done: false, value });
  }

  /** Sends something only if a reader was waiting during the silence: a slow reader needs nothing. */
  #onTick(): void {
    if (!this.#silent || this.#waiter === undefined || this.#isApart) {
      this.#silent = true;
      return;
    }
    const pieces = joinShortPieces(this.#form.silence());
    if (pieces.length > 0) this.#give(pieces);
  }

  #finish(): void {
    this.#over = true;
    clearInterval(this.#ticker);
  }
}
