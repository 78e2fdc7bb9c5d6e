import { GatewayError, responseHeadSchema } from '@switchyard/contracts';
import { callerLeft, noReplica, peerLost, ReplicaRefusal, deadlinePassed } from './faults.ts';
import { controlFrame, decodeFrame, type BusFrame, FrameKind } from './frame.ts';
import type { Gather } from './gather.ts';
import { decodeJson } from './json.ts';
import type { ExchangeRequest, ExchangeResponse } from './link.ts';
import type { Message, Mover } from './mover.ts';
import type { Peers, PeerStream } from './peers.ts';
import { FrameReceiver, type FrameReceiverOwner } from './frame-receiver.ts';
import { FrameSender } from './frame-sender.ts';
import { inboxInstance } from './subject.ts';
import { decodeError } from './wire-error.ts';

export interface OutgoingOptions {
  mover: Mover;
  gather: Gather;
  peers: Peers;
  subject: string;
  /** Where the other side answers: the subject of this exchange alone. */
  replyTo: string;
  /** The replica that refused it before. */
  avoid: string | undefined;
  resolve(response: ExchangeResponse): void;
  reject(error: unknown): void;
  /** It is over and nothing for it is expected any more. */
  onOver(): void;
}

/** An exchange as its requester sees it, from the first frame to the last or to a typed failure. */
export class OutgoingExchange implements PeerStream, FrameReceiverOwner {
  readonly startedAt = performance.now();
  #options: OutgoingOptions;
  #signal: AbortSignal | undefined;
  #peer: { id: string; subject: string } | undefined;
  #answered = false;
  #over = false;
  #sender: FrameSender;
  #receiver: FrameReceiver;
  #deadline: NodeJS.Timeout;
  #onAbort = (): void => this.#leave(callerLeft());

  /** The request is not kept: its body is large, and its sender has it for as long as it is needed. */
  constructor(request: ExchangeRequest, options: OutgoingOptions) {
    this.#options = options;
    this.#signal = request.signal;
    const { mover, gather, subject, replyTo } = options;
    this.#sender = new FrameSender({
      gather,
      firstKind: FrameKind.request,
      transmit: (frame) => mover.publish(this.#peer?.subject ?? subject, frame, replyTo),
    });
    this.#receiver = new FrameReceiver(this);
    this.#deadline = setTimeout(() => this.#leave(deadlinePassed()), request.head.timeoutMs);
    request.signal?.addEventListener('abort', this.#onAbort);
    this.#start(request);
  }

  get accepted(): boolean {
    return this.#peer !== undefined;
  }

  accept(message: Message): void {
    if (message.unheard) return this.#unheard();
    if (this.#peer) this.#options.peers.heard(this.#peer.id);
    else this.#meet(message.reply);
    const frame = decodeFrame(message.payload);
    if (frame) this.#take(frame);
  }

  /** Ends it with a typed failure, without a word to the other side. */
  fail(error: GatewayError): void {
    if (this.#over) return;
    this.#finish();
    if (this.#answered) this.#receiver.fail(error);
    else this.#options.reject(error);
  }

  lost(): void {
    this.fail(peerLost());
  }

  recover(): void {
    this.#sender.resend(0);
    this.askAgain(this.#receiver.expected);
  }

  settle(): void {
    this.#receiver.settle();
  }

  headArrived(bytes: Uint8Array): void {
    const head = responseHeadSchema.safeParse(decodeJson(bytes)).data;
    if (!head)
      return this.#leave(new GatewayError('internal_error', 'A service answered with a head that cannot be read.'));
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
    this.#options.reject(new ReplicaRefusal(error, peer.id));
  }

  ended(): void {
    this.#finish();
  }

  readerLeft(): void {
    this.#leave(callerLeft());
  }

  acknowledge(sequence: number): void {
    this.#tell(controlFrame(FrameKind.acknowledge, sequence));
  }

  askAgain(sequence: number): void {
    this.#tell(controlFrame(FrameKind.resend, sequence));
  }

  #start(request: ExchangeRequest): void {
    const { avoid } = this.#options;
    this.#sender.begin(Buffer.from(JSON.stringify(avoid ? { ...request.head, avoid } : request.head)));
    this.#sender.pump(request.body).catch((cause: unknown) => {
      const broken = new GatewayError('client_closed_request', 'The request body broke off.', { cause });
      this.#leave(cause instanceof GatewayError ? cause : broken);
    });
  }

  #unheard(): void {
    if (this.#peer) this.#options.peers.unheard(this.#peer.id);
    else this.fail(noReplica());
  }

  #meet(reply: string): void {
    if (!reply) return;
    this.#peer = { id: inboxInstance(reply), subject: reply };
    this.#options.peers.join(this.#peer.id, this);
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
      default:
        return;
    }
  }

  #tell(frame: Uint8Array): void {
    if (this.#peer) this.#options.mover.publish(this.#peer.subject, frame, this.#options.replyTo);
  }

  /** Ends it and tells the other side to stop. */
  #leave(error: GatewayError): void {
    if (this.#over) return;
    this.#tell(controlFrame(FrameKind.cancel));
    this.fail(error);
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#deadline);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (this.#peer) this.#options.peers.leave(this.#peer.id, this);
    if (!this.#sender.finished) this.#sender.abandon(callerLeft());
    this.#options.onOver();
  }
}
