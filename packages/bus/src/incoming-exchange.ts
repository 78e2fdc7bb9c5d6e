import { type GatewayError, type RequestHead, type ResponseHead, toGatewayError } from '@tallyport/contracts';
import type { Sleeper } from './alarm.ts';
import { encodeHead } from './bus-head.ts';
import { callerLeft, shuttingDown, deadlinePassed, RequestDismissed, responseHeadTooLarge } from './faults.ts';
import { cancelFrame, controlFrame, type BusFrame, FrameKind, isDismissal } from './frame.ts';
import { isFresh } from './fresh.ts';
import type { Gather } from './gather.ts';
import type { ExchangeAnswer, ExchangeHandler } from './link.ts';
import type { Mover } from './mover.ts';
import type { Peers, PeerStream } from './peers.ts';
import { FrameReceiver, type FrameReceiverOwner } from './frame-receiver.ts';
import { FrameSender, type FrameSenderOwner } from './frame-sender.ts';
import { inboxInstance } from './subject.ts';
import type { RunningExchanges } from './running-exchanges.ts';
import { SentAnswer } from './sent-answer.ts';
import { encodeError } from './wire-error.ts';

/** What all exchanges that a link answers share. */
export interface IncomingLink {
  mover: Mover;
  gather: Gather;
  /** For exchanges within this process. */
  ownGather: Gather;
  peers: Peers;
  /** Called when the answer has been sent, or is no longer wanted. */
  onDone(exchange: IncomingExchangeStream): void;
}

interface IncomingOptions {
  /** Identifies the exchange within the link. */
  token: string;
  head: RequestHead;
  /** When the requester sent it, by the requester's clock; absent from older versions. */
  sentAt: number | undefined;
  /** The subject on which the requester listens for this exchange. */
  requester: string;
  /** The subject on which the requester reaches this exchange. */
  replyTo: string;
  handler: ExchangeHandler;
  /** The exchanges of its listener. */
  running: RunningExchanges;
}

/**
 * The requester learns where its exchange runs within this time, from a frame of the answer or from a separate
 * confirmation. If a replica hangs before that, it is not known to have the request, and another one answers it as
 * well. With a shorter time nearly every answer under load costs one more frame: 25 ms took 17 % more CPU per request.
 */
const confirmMs = 100;

/** The responder's side of an exchange. */
export class IncomingExchangeStream implements PeerStream, FrameReceiverOwner, FrameSenderOwner, Sleeper {
  readonly #link: IncomingLink;
  readonly #options: IncomingOptions;
  readonly #peer: string;
  readonly #controller = new AbortController();
  readonly #sender: FrameSender;
  readonly #receiver = new FrameReceiver(this);
  readonly #deadline: number;
  #wakeAt: number;
  #done = false;
  #handled = false;
  #accepted = false;
  #begun = false;
  /** Confirmed so late that the requester may have sent it to another replica. */
  #late = false;
  /** Callbacks that run when the requester says that it still waits, or when the exchange is over. */
  #onWanted: (() => void)[] | undefined;

  constructor(link: IncomingLink, options: IncomingOptions) {
    this.#link = link;
    this.#options = options;
    this.#peer = inboxInstance(options.requester);
    const gather = this.#peer === link.mover.id ? link.ownGather : link.gather;
    this.#sender = new FrameSender(this, gather, FrameKind.head);
    const now = performance.now();
    this.#deadline = now + options.head.timeoutMs;
    this.#wakeAt = Math.min(now + confirmMs, this.#deadline);
    link.peers.join(this.#peer, this);
  }

  get token(): string {
    return this.#options.token;
  }

  get running(): RunningExchanges {
    return this.#options.running;
  }

  get wakeAt(): number {
    return this.#wakeAt;
  }

  wake(now: number): void {
    if (now < this.#deadline) {
      this.#wakeAt = this.#deadline;
      return this.confirm();
    }
    this.#wakeAt = Infinity;
    this.#endAtDeadline();
  }

  /**
   * Starts with the frame that carries the request. A request that is not fresh starts once its requester says that it
   * still waits.
   */
  start(first: BusFrame): void {
    this.#link.gather.begin();
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
    if (this.#controller.signal.aborted || this.#done || this.#isFresh()) return undefined;
    return new Promise((resolve) => this.#askRequester(resolve));
  }

  /**
   * See `IncomingExchange`. Confirmations of one turn of the event loop are written together: alone, each would wake three
   * processes. A requester in this process ends with it.
   */
  confirmed(): Promise<void> | undefined {
    if (this.#accepted || this.#done || this.#peer === this.#link.mover.id) return undefined;
    return new Promise((resolve) => {
      const run = (): void => {
        this.confirm();
        resolve();
      };
      this.#link.gather.soon({ isQueued: false, run });
    });
  }

  accept(frame: BusFrame): void {
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
    this.#link.peers.unheard(this.#peer);
  }

  /** What was sent and may have to be sent again, once the exchange is done. */
  sentAnswer(): SentAnswer {
    const { requester, replyTo } = this.#options;
    return new SentAnswer(this.#link, { requester, replyTo }, this.#sender.kept);
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
    this.transmit(cancelFrame());
    this.#abort(reason);
  }

  recover(): void {
    if (this.#onWanted) this.transmit(controlFrame(FrameKind.ping));
    this.#sender.resend(0);
    this.requestResend(this.#receiver.expected);
  }

  /** Names this replica as well, if its confirmation was lost; a requester that has left answers with a cancel. */
  refresh(): void {
    this.#sender.requestCredit();
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
    this.transmit(controlFrame(FrameKind.acknowledge, sequence));
  }

  requestResend(sequence: number): void {
    this.transmit(controlFrame(FrameKind.resend, sequence));
  }

  /** The first frame to the requester names the instance that runs the exchange. */
  transmit(frame: Uint8Array): void {
    if (!this.#accepted) this.#late = !this.#isFresh();
    this.#accepted = true;
    this.#link.mover.publish(this.#options.requester, frame, this.#options.replyTo);
    if (this.#handled) this.#settleEnd();
  }

  #isFresh(): boolean {
    const { sentAt, head } = this.#options;
    return isFresh({ sentAt, timeoutMs: head.timeoutMs }, Date.now());
  }

  #askRequester(onWanted: () => void): void {
    (this.#onWanted ??= []).push(onWanted);
    this.transmit(controlFrame(FrameKind.ping));
  }

  #resume(): void {
    const onWanted = this.#onWanted ?? [];
    this.#onWanted = undefined;
    for (const notify of onWanted) notify();
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    this.#begun = true;
    const { handler, head } = this.#options;
    const stillWanted = (): Promise<void> | undefined => this.stillWanted();
    const confirm = (): Promise<void> | undefined => this.confirmed();
    try {
      const answer = await handler({ head, body: this.#receiver.stream, signal, stillWanted, confirm });
      const responseHead = encodeHead(withLength(answer));
      if (responseHead === undefined) throw responseHeadTooLarge();
      this.#sender.begin(responseHead);
      const sending = this.#sender.pump(answer.body);
      if (sending) await sending;
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
    // A requester that has its answer does not say that it still waits.
    this.#resume();
    this.#link.peers.leave(this.#peer, this);
    this.#link.onDone(this);
  }
}

/** A body in one piece has a known length, which edge passes on to the client. */
function withLength({ head, body }: ExchangeAnswer): ResponseHead {
  if (!(body instanceof Uint8Array) || body.length === 0 || head.headers['content-length']) return head;
  return { ...head, headers: { ...head.headers, 'content-length': String(body.length) } };
}
