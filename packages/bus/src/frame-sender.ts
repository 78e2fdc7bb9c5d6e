import type { GatewayError } from '@switchyard/contracts';
import { encodeFrame, FrameKind } from './frame.ts';
import type { Gather } from './gather.ts';
import type { Body } from './link.ts';

/** The most that may be in flight unacknowledged. Do not remove it: without it a slow reader cost 2.4 GB in 4 s. */
export const creditFrames = 64;
export const creditBytes = 1024 * 1024;
/**
 * A larger body is split into several frames. This is far below any broker's limit, and small against one socket read
 * of 64 KiB: the NATS client copies every frame that spans two reads. With frames of 256 KiB a body of 12 MB took 50 %
 * more CPU.
 */
export const maxFrameBytes = 16 * 1024;
/**
 * The first frame of a request is sent before the other side is known, so it is larger: what fits into it need not
 * wait.
 */
const maxRequestFrameBytes = 256 * 1024;

export interface FrameSenderOptions {
  gather: Gather;
  firstKind: typeof FrameKind.request | typeof FrameKind.head;
  transmit(frame: Uint8Array): void;
}

export interface SentFrame {
  sequence: number;
  frame: Uint8Array;
}

/**
 * The outgoing direction of an exchange: sends in order and within credit, and keeps frames until acknowledged for
 * resending.
 */
export class FrameSender {
  #options: FrameSenderOptions;
  /** Set until it is sent in the first frame. */
  #head: Uint8Array | undefined;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #kept: SentFrame[] = [];
  #keptBytes = 0;
  #nextSequence = 0;
  #released: boolean;
  #ending: { error: Uint8Array | undefined } | undefined;
  #closed: GatewayError | undefined;
  #finished = false;
  #waiter: { resolve(): void; reject(error: GatewayError): void } | undefined;
  #flush = (): void => this.#sendNow();

  constructor(options: FrameSenderOptions) {
    this.#options = options;
    this.#released = options.firstKind === FrameKind.head;
  }

  begin(head: Uint8Array): void {
    this.#head = head;
    this.#options.gather.soon(this.#flush);
  }

  /** Returns a promise when the credit is used up. Awaiting it before the next write gives the source back-pressure. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#closed) return Promise.reject(this.#closed);
    if (bytes.length === 0) return undefined;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#nextSequence > 0) this.#options.gather.piece(this.#flush);
    else this.#options.gather.soon(this.#flush);
    if (this.#hasRoom()) return undefined;
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }

  end(): void {
    this.#ending ??= { error: undefined };
    this.#options.gather.soon(this.#flush);
  }

  /** Ends the direction with an error, after everything written before it. */
  fail(error: Uint8Array): void {
    this.#ending ??= { error };
    this.#options.gather.soon(this.#flush);
  }

  /** Sends a whole body at the pace at which the other side consumes it. */
  async pump(body: Body): Promise<void> {
    if (body instanceof Uint8Array) {
      this.write(body)?.catch(() => undefined);
      return this.end();
    }
    for await (const bytes of body) {
      const room = this.write(bytes);
      if (room) await room;
    }
    this.end();
  }

  /** Allows more than the first frame to be sent, once the other side's address is known. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (!this.#finished) this.#options.gather.soon(this.#flush);
  }

  acknowledge(sequence: number): void {
    const kept = this.#kept;
    let count = 0;
    while (count < kept.length && kept[count]!.sequence < sequence) this.#keptBytes -= kept[count++]!.frame.length;
    if (count === 0) return;
    this.#kept = kept.slice(count);
    if (this.#pending.length > 0 || this.#ending || this.#waiter) this.#sendNow();
  }

  /** The other side has answered: a request that was sent completely has arrived completely, and need not be kept. */
  delivered(): void {
    if (this.#finished) this.acknowledge(this.#nextSequence);
  }

  /** Sends all unacknowledged frames from `sequence` on again. */
  resend(sequence: number): void {
    for (const kept of this.#kept) if (kept.sequence >= sequence) this.#options.transmit(kept.frame);
  }

  /** Drops everything and rejects a waiting writer with `error`. */
  abandon(error: GatewayError): void {
    this.#closed ??= error;
    this.#pending = [];
    this.#kept = [];
    this.#pendingBytes = this.#keptBytes = 0;
    this.#waiter?.reject(error);
    this.#waiter = undefined;
  }

  /** Whether the last frame has been sent. */
  get finished(): boolean {
    return this.#finished;
  }

  /** The frames kept for resending. */
  get kept(): readonly SentFrame[] {
    return this.#kept;
  }

  #hasRoom(): boolean {
    return this.#pendingBytes + this.#keptBytes < creditBytes && this.#kept.length < creditFrames;
  }

  #mayTransmit(): boolean {
    if (this.#closed || this.#finished || (!this.#released && this.#nextSequence > 0)) return false;
    return this.#kept.length < creditFrames && this.#keptBytes < creditBytes;
  }

  #hasSomething(): boolean {
    return this.#pending.length > 0 || this.#ending !== undefined || this.#head !== undefined;
  }

  #sendNow(): void {
    while (this.#mayTransmit() && this.#hasSomething()) this.#transmitOne();
    if (!this.#waiter || !this.#hasRoom()) return;
    this.#waiter.resolve();
    this.#waiter = undefined;
  }

  #transmitOne(): void {
    const chunks = this.#takeFrame();
    const ending = this.#pending.length === 0 ? this.#ending : undefined;
    if (ending?.error && chunks.length === 0) return this.#transmit(FrameKind.error, true, [ending.error]);
    const kind = this.#nextSequence === 0 ? this.#options.firstKind : FrameKind.data;
    this.#transmit(kind, ending !== undefined && !ending.error, chunks);
  }

  #transmit(kind: FrameKind, last: boolean, chunks: readonly Uint8Array[]): void {
    const head = kind === FrameKind.error ? undefined : this.#head;
    this.#head = undefined;
    const sequence = this.#nextSequence++;
    const frame = encodeFrame({ kind, last, sequence, head, chunks });
    this.#kept.push({ sequence, frame });
    this.#keptBytes += frame.length;
    this.#finished = last;
    this.#options.transmit(frame);
  }

  /** Takes as many waiting chunks as fit into one frame. */
  #takeFrame(): Uint8Array[] {
    const taken: Uint8Array[] = [];
    let room = this.#nextSequence > 0 || this.#released ? maxFrameBytes : maxRequestFrameBytes;
    let count = 0;
    while (count < this.#pending.length && room > 0) {
      const chunk = this.#pending[count]!;
      const part = chunk.length <= room ? chunk : chunk.subarray(0, room);
      if (part === chunk) count++;
      else this.#pending[count] = chunk.subarray(room);
      taken.push(part);
      room -= part.length;
      this.#pendingBytes -= part.length;
    }
    this.#pending = count === this.#pending.length ? [] : this.#pending.slice(count);
    return taken;
  }
}
