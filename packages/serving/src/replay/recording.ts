import type { ResponseHead } from '@tallyport/contracts';
import { within } from '@tallyport/service-kit';
import { tooLargeToKeep } from './refusals.ts';

/** The memory of all answers being made. */
export interface RecordingRoom {
  held: number;
  readonly limit: number;
}

export interface RecordingOptions {
  maxBytes: number;
  room: RecordingRoom;
  /** How long a stream may be silent before a comment is sent. */
  keepAliveMs: number;
  /** Called when no client reads it and it cannot be kept. */
  onUseless(): void;
}

const keepAlive = Buffer.from(': keep-alive\n\n');

/**
 * An answer while it is made. Any number of readers can read it from any position at their own pace. One that becomes
 * too large is no longer kept, only passed on at the pace of the first reader.
 */
export class Recording {
  readonly #options: RecordingOptions;
  readonly #head = Promise.withResolvers<ResponseHead>();
  #pieces: Buffer[] = [];
  /** The number of pieces already dropped. */
  #gone = 0;
  #bytes = 0;
  #kept = true;
  #firstReaderLeft = false;
  #state: { ended: false } | { ended: true; error: unknown } = { ended: false };
  #stream = false;
  #wake: (() => void)[] = [];

  constructor(options: RecordingOptions) {
    this.#options = options;
    // Readers get the rejection through `head()`; without readers it must not count as unhandled.
    this.#head.promise.catch(() => {});
  }

  /** Resolves with the head, or rejects with the error thrown instead of an answer. */
  head(): Promise<ResponseHead> {
    return this.#head.promise;
  }

  /** Whether everything so far is still held. */
  get kept(): boolean {
    return this.#kept;
  }

  get ended(): boolean {
    return this.#state.ended;
  }

  /** Whether it is a stream of events with ids. */
  get stream(): boolean {
    return this.#stream;
  }

  get pieces(): readonly Buffer[] {
    return this.#pieces;
  }

  begin(head: ResponseHead, stream: boolean): void {
    this.#stream = stream;
    this.#head.resolve(head);
  }

  /** Adds a piece; resolves when more can be accepted. */
  async push(piece: Buffer): Promise<void> {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#options.room.held += piece.length;
    this.#wakeReaders();
    const { maxBytes, room } = this.#options;
    if (this.#bytes > maxBytes || room.held > room.limit) this.#kept = false;
    if (this.#kept) return;
    if (this.#firstReaderLeft) return this.#options.onUseless();
    while (this.#pieces.length > 0 && !this.#firstReaderLeft) await this.#progress();
  }

  /** Ends the recording; with `error` if the answer broke off. */
  end(error?: unknown): void {
    if (this.#state.ended) return;
    this.#state = { ended: true, error };
    if (error !== undefined) this.#head.reject(error);
    this.#wakeReaders();
  }

  /** Frees its memory in the accounting. Readers keep what they still need. */
  forget(): void {
    this.#options.room.held -= this.#bytes;
    this.#bytes = 0;
  }

  firstReaderLeaves(): void {
    this.#firstReaderLeft = true;
    if (!this.#kept && !this.#state.ended) this.#options.onUseless();
    this.#wakeReaders();
  }

  /** Reads as the first reader: pieces are dropped once read if the recording is not kept. */
  async *readFirst(from: number): AsyncGenerator<Uint8Array> {
    let at = from;
    try {
      for await (const piece of this.#readFrom(() => at)) {
        at += piece === keepAlive ? 0 : 1;
        if (!this.#kept) this.#letGo(at);
        yield piece;
      }
    } finally {
      this.firstReaderLeaves();
    }
  }

  async *read(from: number): AsyncGenerator<Uint8Array> {
    let at = from;
    for await (const piece of this.#readFrom(() => at)) {
      at += piece === keepAlive ? 0 : 1;
      yield piece;
    }
  }

  async *#readFrom(position: () => number): AsyncGenerator<Buffer> {
    for (;;) {
      // This reader fell behind a recording that is no longer kept.
      if (position() < this.#gone) throw tooLargeToKeep();
      const piece = this.#pieces[position() - this.#gone];
      if (piece !== undefined) yield piece;
      else if (this.#state.ended) return this.#close();
      else if ((await this.#more()) === undefined && this.#stream) yield keepAlive;
    }
  }

  #close(): void {
    if (this.#state.ended && this.#state.error !== undefined) throw this.#state.error;
  }

  /** `undefined` after a time of silence. */
  async #more(): Promise<true | undefined> {
    return within(
      this.#progress().then(() => true as const),
      this.#options.keepAliveMs,
    );
  }

  #letGo(upTo: number): void {
    const dropped = this.#pieces.splice(0, upTo - this.#gone);
    this.#gone += dropped.length;
    const bytes = dropped.reduce((sum, { length }) => sum + length, 0);
    this.#bytes -= bytes;
    this.#options.room.held -= bytes;
    this.#wakeReaders();
  }

  #progress(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #wakeReaders(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
