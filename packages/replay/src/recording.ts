import type { ResponseHead } from '@switchyard/contracts';
import { within } from '@switchyard/service-kit';
import { tooLargeToKeep } from './refusals.ts';

/** Memory for answers while they are made, of all of them together. */
export interface RecordingRoom {
  held: number;
  readonly limit: number;
}

export interface RecordingOptions {
  maxBytes: number;
  room: RecordingRoom;
  /** Said in a silent stream. */
  keepAliveMs: number;
  /** Nobody reads it and it cannot be kept. */
  onUseless(): void;
}

const keepAlive = Buffer.from(': keep-alive\n\n');

/**
 * An answer while it is made: read from any place, by any number of readers, at their own pace. One that becomes too large
 * is only handed through, at the pace of whoever asked first, and no longer held.
 */
export class Recording {
  readonly #options: RecordingOptions;
  readonly #head = Promise.withResolvers<ResponseHead>();
  #pieces: Buffer[] = [];
  /** So many have been let go. */
  #gone = 0;
  #bytes = 0;
  #kept = true;
  #firstReaderLeft = false;
  #state: { ended: false } | { ended: true; error: unknown } = { ended: false };
  #stream = false;
  #wake: (() => void)[] = [];

  constructor(options: RecordingOptions) {
    this.#options = options;
    // Who waits for it is told; that nobody waits is no failure of its own.
    this.#head.promise.catch(() => {});
  }

  /** Throws what was thrown instead of an answer. */
  head(): Promise<ResponseHead> {
    return this.#head.promise;
  }

  /** All of it is here as far as it has come. */
  get kept(): boolean {
    return this.#kept;
  }

  get ended(): boolean {
    return this.#state.ended;
  }

  get pieces(): readonly Buffer[] {
    return this.#pieces;
  }

  begin(head: ResponseHead, stream: boolean): void {
    this.#stream = stream;
    this.#head.resolve(head);
  }

  /** Resolves when more may come. */
  async push(piece: Buffer): Promise<void> {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#options.room.held += piece.length;
    this.#tell();
    const { maxBytes, room } = this.#options;
    if (this.#bytes > maxBytes || room.held > room.limit) this.#kept = false;
    if (this.#kept) return;
    if (this.#firstReaderLeft) return this.#options.onUseless();
    while (this.#pieces.length > 0 && !this.#firstReaderLeft) await this.#progress();
  }

  /** `error`: it broke off. */
  end(error?: unknown): void {
    if (this.#state.ended) return;
    this.#state = { ended: true, error };
    if (error !== undefined) this.#head.reject(error);
    this.#tell();
  }

  /** Gives its memory back. Who still reads has what it needs. */
  forget(): void {
    this.#options.room.held -= this.#bytes;
    this.#bytes = 0;
  }

  firstReaderLeaves(): void {
    this.#firstReaderLeft = true;
    if (!this.#kept && !this.#state.ended) this.#options.onUseless();
    this.#tell();
  }

  /** As it is read by who asked first: what it has had is let go when it cannot be kept. */
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
      // It fell behind one that is only handed through.
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

  /** `undefined` when nothing came for a while. */
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
    this.#tell();
  }

  #progress(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #tell(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
