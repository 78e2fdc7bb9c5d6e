import type { GatewayError } from '@switchyard/contracts';
import { ByteQueue } from './byte-queue.ts';
import { type BusFrame, FrameKind, splitHead } from './frame.ts';
import type { ByteStream } from './link.ts';
import { creditBytes, creditFrames } from './frame-sender.ts';

/** What a receiver tells the exchange it belongs to. */
export interface FrameReceiverOwner {
  headArrived(head: Uint8Array): void;
  /** The other side ended this direction with an error. */
  errorArrived(payload: Uint8Array): void;
  /** The last frame is here. */
  ended(): void;
  readerLeft(): void;
  acknowledge(sequence: number): void;
  /** Asks for everything from `sequence` on again. */
  askAgain(sequence: number): void;
}

/** One direction of an exchange, coming in: puts frames in order, hands the bytes on and gives credit as they are taken. */
export class FrameReceiver {
  #owner: FrameReceiverOwner;
  #queue: ByteQueue;
  #expected = 0;
  #taken = 0;
  #unsettledBytes = 0;
  #acknowledged = 0;
  #ended = false;
  #askedFor = -1;

  constructor(owner: FrameReceiverOwner) {
    this.#owner = owner;
    this.#queue = new ByteQueue({
      taken: (frames, bytes) => this.#wasTaken(frames, bytes),
      readerLeft: () => owner.readerLeft(),
    });
  }

  get stream(): ByteStream {
    return this.#queue;
  }

  /** The next frame that is wanted. */
  get expected(): number {
    return this.#expected;
  }

  accept(frame: BusFrame): void {
    if (frame.sequence < this.#expected) return this.#owner.acknowledge(this.#taken);
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

  /** Acknowledges what was taken, so that the sender need not keep it. */
  settle(): void {
    this.#unsettledBytes = 0;
    if (this.#ended || this.#acknowledged === this.#taken) return;
    this.#acknowledged = this.#taken;
    this.#owner.acknowledge(this.#taken);
  }

  #wasTaken(frames: number, bytes: number): void {
    this.#taken += frames;
    this.#unsettledBytes += bytes;
    if (this.#taken - this.#acknowledged >= creditFrames / 2 || this.#unsettledBytes >= creditBytes / 2) this.settle();
  }

  #gap(): void {
    if (this.#askedFor === this.#expected) return;
    this.#askedFor = this.#expected;
    this.#owner.askAgain(this.#expected);
  }

  #deliver(frame: BusFrame): void {
    if (frame.kind === FrameKind.error) return this.#owner.errorArrived(frame.payload);
    const body = frame.kind === FrameKind.data ? frame.payload : this.#readHead(frame.payload);
    if (body.length > 0) this.#queue.push(body);
    else this.#wasTaken(1, 0);
  }

  #readHead(payload: Uint8Array): Uint8Array {
    const parts = splitHead(payload);
    this.#owner.headArrived(parts ? parts.head : payload.subarray(0, 0));
    return parts ? parts.body : payload.subarray(0, 0);
  }
}
