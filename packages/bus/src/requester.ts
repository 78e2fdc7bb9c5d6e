import { callerLeft, disconnected, peerLost, ReplicaRefusal } from './faults.ts';
import { controlFrame, FrameKind } from './frame.ts';
import type { Gather } from './gather.ts';
import type { ExchangeRequest, ExchangeResponse } from './link.ts';
import type { Message, Mover } from './mover.ts';
import { OutgoingExchange } from './outgoing-exchange.ts';
import type { Peers } from './peers.ts';
import { inboxSubject, inboxToken, requesterToken } from './subject.ts';

export interface RequesterOptions {
  mover: Mover;
  gather: Gather;
  peers: Peers;
}

/** A request that nobody has taken up by then was lost with whoever held it. */
const acceptWithinMs = 5_000;
const sweepMs = 250;

/** Our side of every exchange we asked for. */
export class Requester {
  #options: RequesterOptions;
  #exchanges = new Map<string, OutgoingExchange>();
  #counter = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Silence before this moment says nothing: we were cut off, or stood still ourselves. */
  #trustedFrom = 0;
  #lastSweep = 0;

  constructor(options: RequesterOptions) {
    this.#options = options;
  }

  async open(subject: string, request: ExchangeRequest): Promise<ExchangeResponse> {
    try {
      return await this.#attempt(subject, request, undefined);
    } catch (error) {
      if (!(error instanceof ReplicaRefusal)) throw error;
      if (!(request.body instanceof Uint8Array)) throw error.error;
      return await this.#attempt(subject, request, error.by);
    }
  }

  /** A frame, or the broker's word, for one of our exchanges. */
  accept(message: Message): void {
    const exchange = this.#exchanges.get(inboxToken(message.subject));
    if (exchange) return exchange.accept(message);
    if (message.unheard || !message.reply) return;
    this.#options.mover.publish(message.reply, controlFrame(FrameKind.cancel));
  }

  reconnected(): void {
    this.#trustedFrom = performance.now();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const exchange of this.#exchanges.values()) exchange.fail(disconnected());
  }

  #attempt(subject: string, request: ExchangeRequest, avoid: string | undefined): Promise<ExchangeResponse> {
    const { mover, gather, peers } = this.#options;
    if (request.signal?.aborted) return Promise.reject(callerLeft());
    if (!mover.connected()) return Promise.reject(disconnected());
    const token = requesterToken(this.#counter++);
    this.#watch();
    return new Promise((resolve, reject) => {
      const exchange = new OutgoingExchange(request, {
        mover,
        gather,
        peers,
        subject,
        avoid,
        resolve,
        reject,
        replyTo: inboxSubject(mover.id, token),
        onOver: () => this.#exchanges.delete(token),
      });
      this.#exchanges.set(token, exchange);
    });
  }

  #watch(): void {
    if (this.#timer) return;
    this.#lastSweep = performance.now();
    this.#timer = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#lastSweep > 4 * sweepMs) this.#trustedFrom = now;
    this.#lastSweep = now;
    if (this.#exchanges.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else if (this.#options.mover.connected() && now - this.#trustedFrom >= acceptWithinMs) {
      this.#failUnaccepted(now - acceptWithinMs);
    }
  }

  #failUnaccepted(oldest: number): void {
    for (const exchange of this.#exchanges.values()) {
      if (exchange.startedAt >= oldest) return;
      if (!exchange.accepted) exchange.fail(peerLost());
    }
  }
}
