import { type GatewayError, type RequestHead, type ResponseHead, toGatewayError } from '@switchyard/contracts';
import { callerLeft, peerLost, shuttingDown, deadlinePassed } from './faults.ts';
import { controlFrame, type BusFrame, FrameKind } from './frame.ts';
import type { Gather } from './gather.ts';
import type { ExchangeAnswer, ExchangeHandler } from './link.ts';
import type { Mover } from './mover.ts';
import type { Peers, PeerStream } from './peers.ts';
import { FrameReceiver, type FrameReceiverOwner } from './frame-receiver.ts';
import { FrameSender } from './frame-sender.ts';
import { inboxInstance } from './subject.ts';
import { encodeError } from './wire-error.ts';

export interface IncomingOptions {
  mover: Mover;
  gather: Gather;
  peers: Peers;
  head: RequestHead;
  /** Where the requester listens for this exchange. */
  requester: string;
  /** Where the requester reaches this exchange. */
  replyTo: string;
  handler: ExchangeHandler;
  /** A frame told the requester where it runs. */
  onConfirmed(exchange: IncomingExchangeStream): void;
  /** The answer is handed to the bus, or nobody waits for it any more. */
  onDone(exchange: IncomingExchangeStream): void;
}

/** An exchange as the service that answers it sees it. */
export class IncomingExchangeStream implements PeerStream, FrameReceiverOwner {
  #options: IncomingOptions;
  #peer: string;
  #controller = new AbortController();
  #sender: FrameSender;
  #receiver: FrameReceiver;
  #deadline: NodeJS.Timeout;
  #done = false;
  #handled = false;
  #accepted = false;

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.#peer = inboxInstance(options.requester);
    this.#receiver = new FrameReceiver(this);
    this.#sender = new FrameSender({
      gather: options.gather,
      firstKind: FrameKind.head,
      transmit: (frame) => this.#transmit(frame),
    });
    this.#deadline = setTimeout(() => this.#abort(deadlinePassed()), options.head.timeoutMs);
    options.peers.join(this.#peer, this);
  }

  /** Begins with the frame the request came in. */
  start(first: BusFrame): void {
    this.#receiver.accept(first);
    if (!first.last) this.confirm();
    void this.#run();
  }

  /** Tells the requester where the exchange runs, unless a frame of the answer did already. */
  confirm(): void {
    if (this.#accepted || this.#done) return;
    this.acknowledge(0);
  }

  take(frame: BusFrame): void {
    this.#options.peers.heard(this.#peer);
    switch (frame.kind) {
      case FrameKind.data:
      case FrameKind.error:
        return this.#receiver.accept(frame);
      case FrameKind.acknowledge:
        this.#sender.acknowledge(frame.sequence);
        return this.#settleEnd();
      case FrameKind.resend:
        return this.#sender.resend(frame.sequence);
      case FrameKind.cancel:
        return this.#abort(callerLeft());
      default:
        return;
    }
  }

  unheard(): void {
    this.#options.peers.unheard(this.#peer);
  }

  /** Bytes kept for a requester that may ask again. */
  get keptBytes(): number {
    return this.#sender.keptBytes;
  }

  /** Ends what still runs with a typed error for both sides. */
  shutDown(): void {
    this.#sender.fail(encodeError(shuttingDown()));
    this.#controller.abort(shuttingDown());
  }

  lost(): void {
    this.#abort(peerLost());
  }

  recover(): void {
    this.#sender.resend(0);
    this.askAgain(this.#receiver.expected);
  }

  settle(): void {
    this.#receiver.settle();
  }

  headArrived(): void {}

  errorArrived(): void {
    this.#abort(callerLeft());
  }

  ended(): void {}

  readerLeft(): void {}

  acknowledge(sequence: number): void {
    this.#transmit(controlFrame(FrameKind.acknowledge, sequence));
  }

  askAgain(sequence: number): void {
    this.#transmit(controlFrame(FrameKind.resend, sequence));
  }

  async #run(): Promise<void> {
    const { handler, head } = this.#options;
    try {
      const answer = await handler({ head, body: this.#receiver.stream, signal: this.#controller.signal });
      this.#sender.begin(Buffer.from(JSON.stringify(withLength(answer))));
      await this.#sender.pump(answer.body);
    } catch (error) {
      this.#sender.fail(encodeError(toGatewayError(error)));
    }
    this.#handled = true;
    this.#settleEnd();
  }

  #transmit(frame: Uint8Array): void {
    if (!this.#accepted) this.#options.onConfirmed(this);
    this.#accepted = true;
    this.#options.mover.publish(this.#options.requester, frame, this.#options.replyTo);
    if (this.#handled) this.#settleEnd();
  }

  #abort(reason: GatewayError): void {
    if (this.#controller.signal.aborted) return;
    this.#sender.abandon(reason);
    this.#receiver.fail(reason);
    this.#controller.abort(reason);
    this.#finish();
  }

  #settleEnd(): void {
    if (this.#handled && this.#sender.finished) this.#finish();
  }

  #finish(): void {
    if (this.#done) return;
    this.#done = true;
    if (!this.#accepted) this.#options.onConfirmed(this);
    clearTimeout(this.#deadline);
    this.#options.peers.leave(this.#peer, this);
    this.#options.onDone(this);
  }
}

/** A body that is whole has a length: whoever passes it on to a client can say so. */
function withLength({ head, body }: ExchangeAnswer): ResponseHead {
  if (!(body instanceof Uint8Array) || body.length === 0 || head.headers['content-length']) return head;
  return { status: head.status, headers: { ...head.headers, 'content-length': String(body.length) } };
}
