import type { GatewayError } from '@tallyport/contracts';
import { ByteQueue, type ByteQueueOwner } from './byte-queue.ts';
import { type BusFrame, FrameKind, splitHead } from './frame.ts';
import type { ByteStream } from './link.ts';
import { creditBytes, creditFrames } from './frame-sender.ts';

/** Callbacks of a receiver to its exchange. */
export interface FrameReceiverOwner {
  /** The head is JSON. */
  headArrived(head: string): void;
  /** The other side ended this direction with an error. */
  errorArrived(payload: Uint8Array): void;
  /** The last frame has arrived. */
  ended(): void;
  readerLeft(): void;
  acknowledge(sequence: number): void;
  /** Asks the other side to send everything from `sequence` on again. */
  requestResend(sequence: number): void;
}

/**
 * The incoming direction of an exchange: accepts frames in order, passes the bytes on, and grants credit as they are
 * consumed.
 */
export class FrameReceiver implements ByteQueueOwner {
  readonly #owner: FrameReceiverOwner;
  readonly #queue = new ByteQueue(this);
  #expected = 0;
  #consumed = 0;
  #unsettledBytes = 0;
  #acknowledged = 0;
  #ended = false;
  #resendFrom = -1;

  constructor(owner: FrameReceiverOwner) {
    this.#owner = owner;
  }

  get stream(): ByteStream {
    return this.#queue;
  }

  /** The sequence number of the next frame. */
  get expected(): number {
    return this.#expected;
  }

  accept(frame: BusFrame): void {
    if (frame.sequence < this.#expected) return this.#owner.acknowledge(this.#consumed);
    if (frame.sequence > this.#expected) return this.#gap();
    this.#expected++;
    this.#deliver(frame);
    if (!frame.last) return;
    this.#ended = true;
    this.#queue.end();
    this.#owner.ended();
  }

  fail(error: GatewayError): void {
    this.#queue.fail(error);
  }

  /** Acknowledges what was consumed, so that the sender can drop it. */
  settle(): void {
    this.#unsettledBytes = 0;
    if (this.#ended || this.#acknowledged === this.#consumed) return;
    this.#acknowledged = this.#consumed;
    this.#owner.acknowledge(this.#consumed);
  }

  readerLeft(): void {
    this.#owner.readerLeft();
  }

  consumed(frames: number, bytes: number): void {
    this.#consumed += frames;
    this.#unsettledBytes += bytes;
    if (this.#consumed - this.#acknowledged >= creditFrames / 2 || this.#unsettledBytes >= creditBytes / 2)
      this.settle();
  }

  #gap(): void {
    if (this.#resendFrom === this.#expected) return;
    this.#resendFrom = this.#expected;
    this.#owner.requestResend(this.#expected);
  }

  #deliver(frame: BusFrame): void {
    if (frame.kind === FrameKind.error) return this.#owner.errorArrived(frame.payload);
    const body = frame.kind === FrameKind.data ? frame.payload : this.#readHead(frame.payload);
    if (body.length > 0) this.#queue.push(body);
    else this.consumed(1, 0);
  }

  #readHead(payload: Uint8Array): Uint8Array {
    const parts = splitHead(payload);
    this.#owner.headArrived(parts?.head ?? '');
    return parts?.body ?? payload.subarray(0, 0);
  }
}
