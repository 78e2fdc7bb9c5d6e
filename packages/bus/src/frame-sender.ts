import type { GatewayError } from '@tallyport/contracts';
import { encodeFrame, FrameKind } from './frame.ts';
import type { Gather, GatheredJob } from './gather.ts';
import type { Body } from './link.ts';

/** The most that may be in flight unacknowledged. Do not remove it: without it a slow reader cost 2.4 GB in 4 s. */
export const creditFrames = 64;
export const creditBytes = 1024 * 1024;
/**
 * A larger body is split into several frames. This is far below any broker's limit, and small against one socket read
 * of 64 KiB: the NATS client copies every frame that spans two reads. With frames of 256 KiB a body of 12 MB took 50 %
 * more CPU.
 */
const maxFrameBytes = 16 * 1024;
/**
 * The first frame of a request is sent before the other side is known, so it is larger: what fits into it need not
 * wait.
 */
const maxRequestFrameBytes = 256 * 1024;

/** The exchange that a sender belongs to. */
export interface FrameSenderOwner {
  transmit(frame: Uint8Array): void;
}

/** Frames that follow each other. */
export interface SentFrames {
  /** The sequence number of the first one. */
  from: number;
  frames: readonly Uint8Array[];
}

/**
 * The outgoing direction of an exchange: sends in order and within credit, and keeps frames until acknowledged for
 * resending.
 */
export class FrameSender implements GatheredJob {
  isQueued = false;
  readonly #owner: FrameSenderOwner;
  readonly #gather: Gather;
  readonly #firstKind: typeof FrameKind.request | typeof FrameKind.head;
  /** Set until it is sent in the first frame. */
  #head: string | undefined;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** The last frames before `#nextSequence`. */
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #nextSequence = 0;
  #released: boolean;
  #ending: { error: Uint8Array | undefined } | undefined;
  #closed: GatewayError | undefined;
  #finished = false;
  #waiter: { resolve(): void; reject(error: GatewayError): void } | undefined;

  constructor(owner: FrameSenderOwner, gather: Gather, firstKind: typeof FrameKind.request | typeof FrameKind.head) {
    this.#owner = owner;
    this.#gather = gather;
    this.#firstKind = firstKind;
    this.#released = firstKind === FrameKind.head;
  }

  /** Starts with the head, as JSON. */
  begin(head: string): void {
    this.#head = head;
    this.#gather.soon(this);
  }

  /** Returns a promise when the credit is used up. Awaiting it before the next write gives the source back-pressure. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#closed) return Promise.reject(this.#closed);
    if (bytes.length === 0) return undefined;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#nextSequence > 0) this.#gather.piece(this);
    else this.#gather.soon(this);
    if (this.#hasRoom()) return undefined;
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }

  end(): void {
    this.#ending ??= { error: undefined };
    this.#gather.soon(this);
  }

  /** Ends the direction with an error, after everything written before it. */
  fail(error: Uint8Array): void {
    this.#ending ??= { error };
    this.#gather.soon(this);
  }

  /** Sends a whole body at the pace at which the other side consumes it. Returns a promise if the body is a stream. */
  pump(body: Body): Promise<void> | undefined {
    if (!(body instanceof Uint8Array)) return this.#pumpStream(body);
    this.write(body)?.catch(() => undefined);
    this.end();
    return undefined;
  }

  /** Allows more than the first frame to be sent, once the other side's address is known. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (!this.#finished) this.#gather.soon(this);
  }

  acknowledge(sequence: number): void {
    const count = Math.min(sequence - this.#keptFrom, this.#kept.length);
    if (count <= 0) return;
    for (const frame of this.#kept.splice(0, count)) this.#keptBytes -= frame.length;
    if (this.#pending.length > 0 || this.#ending || this.#waiter) this.run();
  }

  /** The other side has answered: a request that was sent completely has arrived completely, and need not be kept. */
  delivered(): void {
    if (this.#finished) this.acknowledge(this.#nextSequence);
  }

  /** Sends all unacknowledged frames from `sequence` on again. */
  resend(sequence: number): void {
    for (const frame of framesFrom(this.kept, sequence)) this.#owner.transmit(frame);
  }

  /** Sends the last unacknowledged frame again, so that the other side repeats its acknowledgement. */
  requestCredit(): void {
    const frame = this.#kept.at(-1);
    if (frame && !this.#finished) this.#owner.transmit(frame);
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
  get kept(): SentFrames {
    return { from: this.#keptFrom, frames: this.#kept };
  }

  /** Sends what may be sent. */
  run(): void {
    while (this.#mayTransmit() && this.#hasSomething()) this.#transmitOne();
    if (!this.#waiter || !this.#hasRoom()) return;
    this.#waiter.resolve();
    this.#waiter = undefined;
  }

  get #keptFrom(): number {
    return this.#nextSequence - this.#kept.length;
  }

  async #pumpStream(body: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const bytes of body) {
      const room = this.write(bytes);
      if (room) await room;
    }
    this.end();
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

  #transmitOne(): void {
    const chunks = this.#takeFrame();
    const ending = this.#pending.length === 0 ? this.#ending : undefined;
    if (ending?.error && chunks.length === 0) return this.#transmit(FrameKind.error, true, [ending.error]);
    const kind = this.#nextSequence === 0 ? this.#firstKind : FrameKind.data;
    this.#transmit(kind, ending !== undefined && !ending.error, chunks);
  }

  #transmit(kind: FrameKind, last: boolean, chunks: readonly Uint8Array[]): void {
    const head = kind === FrameKind.error ? undefined : this.#head;
    this.#head = undefined;
    const sequence = this.#nextSequence++;
    const frame = encodeFrame({ kind, last, sequence, head, chunks });
    this.#kept.push(frame);
    this.#keptBytes += frame.length;
    this.#finished = last;
    this.#owner.transmit(frame);
  }

  /** Takes as many waiting chunks as fit into one frame. */
  #takeFrame(): Uint8Array[] {
    let room = this.#nextSequence > 0 || this.#released ? maxFrameBytes : maxRequestFrameBytes;
    if (this.#pendingBytes <= room) return this.#takeAll();
    const taken: Uint8Array[] = [];
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
    this.#pending = this.#pending.slice(count);
    return taken;
  }

  #takeAll(): Uint8Array[] {
    const all = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    return all;
  }
}

/** The frames from `sequence` on. */
export const framesFrom = ({ from, frames }: SentFrames, sequence: number): readonly Uint8Array[] =>
  frames.slice(Math.max(0, sequence - from));
