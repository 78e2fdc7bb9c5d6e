import { GatewayError, responseHeadSchema } from '@tallyport/contracts';
import type { Sleeper } from './alarm.ts';
import type { ArrivedAnswers } from './arrived-answers.ts';
import type { Detours } from './detours.ts';
import { callerLeft, noReplica, peerLost, deadlinePassed } from './faults.ts';
import { cancelFrame, controlFrame, decodeFrame, type BusFrame, FrameKind } from './frame.ts';
import type { Gather } from './gather.ts';
import { parseJson } from './json.ts';
import type { ExchangeRequest, ExchangeResponse } from './link.ts';
import type { Message, Mover } from './mover.ts';
import type { Peers, PeerStream } from './peers.ts';
import { FrameReceiver, type FrameReceiverOwner } from './frame-receiver.ts';
import { FrameSender, type FrameSenderOwner } from './frame-sender.ts';
import { inboxInstance } from './subject.ts';
import { decodeError } from './wire-error.ts';

/** What all exchanges that a link requests share. */
export interface OutgoingLink {
  mover: Mover;
  gather: Gather;
  /** For exchanges within this process. */
  ownGather: Gather;
  peers: Peers;
  detours: Detours;
  arrived: ArrivedAnswers;
  /**
   * Called when the exchange is over. `ambiguous`: a replica that has not confirmed the request may have it as well.
   */
  onOver(token: string, ambiguous: boolean): void;
}

export interface OutgoingOptions {
  /** Identifies the exchange within the link. */
  token: string;
  subject: string;
  /** The head of the request, as JSON. */
  head: string;
  /** The subject for the other side's frames, used by this exchange only. */
  replyTo: string;
  /** Where this process answers the request itself. */
  own?: string | undefined;
  /** The replica that has already refused the request. */
  avoid: string | undefined;
  resolve(response: ExchangeResponse): void;
  reject(error: GatewayError): void;
  /** Called instead of `reject` when a replica is at capacity and another one may have room. */
  onRefused(error: GatewayError, replica: string): void;
}

/** The requester's side of an exchange, from the first frame to the last one or to a typed error. */
export class OutgoingExchange implements PeerStream, FrameReceiverOwner, FrameSenderOwner, Sleeper {
  readonly startedAt = performance.now();
  /** Its deadline. */
  readonly wakeAt: number;
  readonly #link: OutgoingLink;
  readonly #options: OutgoingOptions;
  #signal: AbortSignal | undefined;
  #peer: { id: string; subject: string } | undefined;
  /** The subject of a single replica, when the request bypassed the queue group. */
  #direct: string | undefined;
  #detoured = false;
  #ambiguous = false;
  #interruptedAt: number | undefined;
  #answered = false;
  #over = false;
  readonly #sender: FrameSender;
  readonly #receiver = new FrameReceiver(this);
  #onAbort = (): void => this.#leave(callerLeft());

  /** Keeps no reference to the request: its body may be large, and the sender holds it for as long as it is needed. */
  constructor(link: OutgoingLink, request: ExchangeRequest, options: OutgoingOptions) {
    this.#link = link;
    this.#options = options;
    this.#signal = request.signal;
    const { own } = options;
    this.#direct = own ?? link.detours.target(options.subject, options.avoid);
    this.#sender = new FrameSender(this, own === undefined ? link.gather : link.ownGather, FrameKind.request);
    this.wakeAt = this.startedAt + request.head.timeoutMs;
    request.signal?.addEventListener('abort', this.#onAbort);
    this.#start(request);
  }

  wake(): void {
    this.#leave(deadlinePassed());
  }

  transmit(frame: Uint8Array): void {
    const { subject, replyTo } = this.#options;
    this.#link.mover.publish(this.#peer?.subject ?? this.#direct ?? subject, frame, replyTo);
  }

  get accepted(): boolean {
    return this.#peer !== undefined;
  }

  accept(message: Message): void {
    if (message.unheard) return this.#unheard();
    if (!this.#peer) this.#setPeer(message.reply);
    else if (message.reply !== this.#peer.subject) return this.#dismiss(message.reply);
    const frame = decodeFrame(message.payload);
    if (frame) this.#take(frame);
  }

  /**
   * Called while no replica has confirmed the request in time. With `resend`, sends it to a replica that answers,
   * unless the first one may have started it.
   */
  onSilence(resend: boolean): void {
    const { detours } = this.#link;
    const { subject, avoid } = this.#options;
    detours.unconfirmed(subject, this.#direct);
    if (!resend || this.#detoured || !detours.explainsSilence(subject)) return;
    const direct = detours.target(subject, avoid);
    if (direct === undefined) return;
    this.#detoured = this.#ambiguous = true;
    this.#direct = direct;
    this.#sender.resend(0);
  }

  /** The request, or the frame that confirms it, may have been lost at this time. */
  interrupted(now: number): void {
    if (!this.#peer) this.#interruptedAt ??= now;
  }

  get interruptedAt(): number | undefined {
    return this.#interruptedAt;
  }

  /** Whether the replica that has the request probably hangs, so that the request is not lost. */
  isAtHangingReplica(): boolean {
    return this.#link.detours.explainsSilence(this.#options.subject);
  }

  /** Fails the exchange because no replica confirmed it. A replica that has it is dismissed when it confirms. */
  giveUp(reason: GatewayError): void {
    this.#ambiguous = true;
    this.fail(reason);
  }

  /** Ends the exchange with an error, without notifying the other side. */
  fail(error: GatewayError): void {
    if (this.#over) return;
    this.#finish();
    if (this.#answered) this.#receiver.fail(error);
    else this.#options.reject(error);
  }

  /** A replica that was only blocked reads the cancel when it resumes, and stops. */
  lost(reason: GatewayError): void {
    this.#leave(reason);
  }

  recover(): void {
    this.#sender.resend(0);
    this.requestResend(this.#receiver.expected);
  }

  refresh(): void {
    this.#sender.requestCredit();
    this.requestResend(this.#receiver.expected);
  }

  settle(): void {
    this.#receiver.settle();
  }

  headArrived(json: string): void {
    const head = responseHeadSchema.safeParse(parseJson(json)).data;
    if (!head)
      return this.#leave(new GatewayError('internal_error', 'A service returned a response head that cannot be read.'));
    this.#answered = true;
    this.#sender.delivered();
    this.#options.resolve({ head, body: this.#receiver.stream });
  }

  errorArrived(payload: Uint8Array): void {
    const error = decodeError(payload);
    const peer = this.#peer;
    const mayTryAnother = error.code === 'overloaded' && !this.#answered && !this.#options.avoid;
    if (!peer || !mayTryAnother) return this.fail(error);
    this.#finish();
    this.#options.onRefused(error, peer.id);
  }

  ended(): void {
    if (this.#peer) this.#link.arrived.add(this.#peer.id, this.#peer.subject);
    this.#finish();
  }

  readerLeft(): void {
    this.#leave(callerLeft());
  }

  acknowledge(sequence: number): void {
    this.#sendToPeer(controlFrame(FrameKind.acknowledge, sequence));
  }

  requestResend(sequence: number): void {
    this.#sendToPeer(controlFrame(FrameKind.resend, sequence));
  }

  #start(request: ExchangeRequest): void {
    this.#sender.begin(this.#options.head);
    this.#sender.pump(request.body)?.catch((cause: unknown) => {
      const endedEarly = new GatewayError('client_closed_request', 'The request body ended early.', { cause });
      this.#leave(cause instanceof GatewayError ? cause : endedEarly);
    });
  }

  #unheard(): void {
    if (this.#peer) this.#link.peers.unheard(this.#peer.id);
    else if (this.#direct === undefined) this.fail(noReplica(this.#options.subject));
    else this.#joinQueue(this.#direct);
  }

  /** The chosen replica is gone: sends the request to the queue group again. */
  #joinQueue(direct: string): void {
    this.#link.detours.gone(this.#options.subject, direct);
    this.#direct = undefined;
    this.#ambiguous = true;
    this.#sender.resend(0);
  }

  /** Another replica has the request: cancels it at this one. */
  #dismiss(replica: string): void {
    if (replica) this.#link.mover.publish(replica, cancelFrame(true));
  }

  #setPeer(reply: string): void {
    if (!reply) return;
    this.#peer = { id: inboxInstance(reply), subject: reply };
    this.#link.peers.join(this.#peer.id, this);
    this.#sender.release();
  }

  #take(frame: BusFrame): void {
    switch (frame.kind) {
      case FrameKind.head:
      case FrameKind.data:
      case FrameKind.error:
        return this.#receiver.accept(frame);
      case FrameKind.acknowledge:
        return this.#sender.acknowledge(frame.sequence);
      case FrameKind.resend:
        return this.#sender.resend(frame.sequence);
      case FrameKind.cancel:
        return this.fail(peerLost());
      case FrameKind.ping:
        return this.#sendToPeer(controlFrame(FrameKind.pong));
      default:
        return;
    }
  }

  #sendToPeer(frame: Uint8Array): void {
    if (this.#peer) this.#link.mover.publish(this.#peer.subject, frame, this.#options.replyTo);
  }

  /** Ends the exchange with an error and cancels it at the other side. */
  #leave(error: GatewayError): void {
    if (this.#over) return;
    this.#sendToPeer(cancelFrame());
    this.fail(error);
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (this.#peer) this.#link.peers.leave(this.#peer.id, this);
    if (!this.#sender.finished) this.#sender.abandon(callerLeft());
    this.#link.onOver(this.#options.token, this.#ambiguous);
  }
}
