import { type GatewayError, type RequestHead, type ResponseHead, toGatewayError } from '@switchyard/contracts';
import { callerLeft, shuttingDown, deadlinePassed, RequestDismissed } from './faults.ts';
import { cancelFrame, controlFrame, type BusFrame, FrameKind, isDismissal } from './frame.ts';
import { isFresh } from './fresh.ts';
import type { Gather } from './gather.ts';
import type { ExchangeAnswer, ExchangeHandler } from './link.ts';
import type { Mover } from './mover.ts';
import type { Peers, PeerStream } from './peers.ts';
import { FrameReceiver, type FrameReceiverOwner } from './frame-receiver.ts';
import { FrameSender } from './frame-sender.ts';
import { inboxInstance } from './subject.ts';
import { SentAnswer } from './sent-answer.ts';
import { encodeError } from './wire-error.ts';

export interface IncomingOptions {
  mover: Mover;
  gather: Gather;
  peers: Peers;
  head: RequestHead;
  /** When the requester sent it, by the requester's clock; absent from older versions. */
  sentAt: number | undefined;
  /** The subject on which the requester listens for this exchange. */
  requester: string;
  /** The subject on which the requester reaches this exchange. */
  replyTo: string;
  handler: ExchangeHandler;
  /** Called at the first frame to the requester, which names the instance that runs the exchange. */
  onConfirmed(exchange: IncomingExchangeStream): void;
  /** Called when the answer has been sent, or is no longer wanted. */
  onDone(exchange: IncomingExchangeStream): void;
}

/** The responder's side of an exchange. */
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
  #begun = false;
  /** Confirmed so late that the requester may have sent it to another replica. */
  #late = false;
  /** Callbacks that run when the requester says that it still waits, or when the exchange is over. */
  #onWanted: (() => void)[] = [];

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.#peer = inboxInstance(options.requester);
    this.#receiver = new FrameReceiver(this);
    this.#sender = new FrameSender({
      gather: options.gather,
      firstKind: FrameKind.head,
      transmit: (frame) => this.#transmit(frame),
    });
    this.#deadline = setTimeout(() => this.#endAtDeadline(), options.head.timeoutMs);
    options.peers.join(this.#peer, this);
  }

  /**
   * Starts with the frame that carries the request. A request that is not fresh starts once its requester says that it
   * still waits.
   */
  start(first: BusFrame): void {
    this.#options.gather.begin();
    this.#receiver.accept(first);
    if (!this.#isFresh()) return this.#askRequester(() => void this.#run());
    if (!first.last) this.confirm();
    void this.#run();
  }

  /** Informs the requester where the exchange runs, unless a frame of the answer already has. */
  confirm(): void {
    if (this.#accepted || this.#done) return;
    this.acknowledge(0);
  }

  /** See `IncomingExchange`. */
  stillWanted(): Promise<void> | undefined {
    if (this.#controller.signal.aborted || this.#isFresh()) return undefined;
    return new Promise((resolve) => this.#askRequester(resolve));
  }

  accept(frame: BusFrame): void {
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
        return this.#abort(isDismissal(frame) ? new RequestDismissed() : callerLeft());
      case FrameKind.pong:
        return this.#resume();
      default:
        return;
    }
  }

  unheard(): void {
    this.#options.peers.unheard(this.#peer);
  }

  /** What was sent and may have to be sent again, once the exchange is done. */
  sentAnswer(): SentAnswer {
    const { mover, peers, requester, replyTo } = this.#options;
    return new SentAnswer({ mover, peers, peer: this.#peer, requester, replyTo }, this.#sender.kept);
  }

  /** Ends the exchange with a typed error on both sides. */
  shutDown(): void {
    if (!this.#begun) this.#handled = true;
    this.#sender.fail(encodeError(shuttingDown()));
    this.#controller.abort(shuttingDown());
    this.#resume();
  }

  /** A requester that was only blocked reads the cancel when it resumes. */
  lost(reason: GatewayError): void {
    this.#transmit(cancelFrame());
    this.#abort(reason);
  }

  recover(): void {
    if (this.#onWanted.length > 0) this.#transmit(controlFrame(FrameKind.ping));
    this.#sender.resend(0);
    this.requestResend(this.#receiver.expected);
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

  requestResend(sequence: number): void {
    this.#transmit(controlFrame(FrameKind.resend, sequence));
  }

  #isFresh(): boolean {
    const { sentAt, head } = this.#options;
    return isFresh({ sentAt, timeoutMs: head.timeoutMs }, Date.now());
  }

  #askRequester(onWanted: () => void): void {
    this.#onWanted.push(onWanted);
    this.#transmit(controlFrame(FrameKind.ping));
  }

  #resume(): void {
    for (const notify of this.#onWanted.splice(0)) notify();
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    this.#begun = true;
    const { handler, head } = this.#options;
    const stillWanted = (): Promise<void> | undefined => this.stillWanted();
    try {
      const answer = await handler({ head, body: this.#receiver.stream, signal, stillWanted });
      this.#sender.begin(Buffer.from(JSON.stringify(withLength(answer))));
      await this.#sender.pump(answer.body);
    } catch (error) {
      this.#sender.fail(encodeError(toGatewayError(error)));
    }
    this.#handled = true;
    this.#settleEnd();
  }

  /**
   * After the process was blocked, timers run before the requester's frames are read, so a late exchange counts as
   * dismissed.
   */
  #endAtDeadline(): void {
    this.#abort(this.#late ? new RequestDismissed() : deadlinePassed());
  }

  #transmit(frame: Uint8Array): void {
    if (!this.#accepted) {
      this.#late = !this.#isFresh();
      this.#options.onConfirmed(this);
    }
    this.#accepted = true;
    this.#options.mover.publish(this.#options.requester, frame, this.#options.replyTo);
    if (this.#handled) this.#settleEnd();
  }

  #abort(reason: GatewayError): void {
    if (this.#controller.signal.aborted) return;
    this.#sender.abandon(reason);
    this.#receiver.fail(reason);
    this.#controller.abort(reason);
    this.#resume();
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

/** A body in one piece has a known length, which edge passes on to the client. */
function withLength({ head, body }: ExchangeAnswer): ResponseHead {
  if (!(body instanceof Uint8Array) || body.length === 0 || head.headers['content-length']) return head;
  return { status: head.status, headers: { ...head.headers, 'content-length': String(body.length) } };
}
