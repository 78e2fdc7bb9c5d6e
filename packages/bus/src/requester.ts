import { Alarm } from './alarm.ts';
import { ArrivedAnswers } from './arrived-answers.ts';
import { encodeHead, maxHeadBytes } from './bus-head.ts';
import { callerLeft, disconnected, peerLost, requestHeadTooLarge } from './faults.ts';
import { cancelFrame } from './frame.ts';
import type { ExchangeRequest, ExchangeResponse } from './link.ts';
import { LastIds } from './last-ids.ts';
import type { Message } from './mover.ts';
import { OutgoingExchange, type OutgoingLink, type OutgoingOptions } from './outgoing-exchange.ts';
import type { ServedOperation } from './responder.ts';
import { inboxSubject, inboxToken, requesterToken } from './subject.ts';

type RequesterOptions = Omit<OutgoingLink, 'arrived' | 'onOver'> & {
  /** How this instance itself answers an operation. */
  served(operation: string): ServedOperation | undefined;
};

/** A request that no replica has confirmed after this time was lost with the replica that held it. */
const acceptWithinMs = 5_000;
/** A replica confirms a request much sooner than this unless it hangs. After it, pings find the replicas that answer. */
const suspectAfterMs = 1_000;
/**
 * After this time the request is also sent to a replica that answers pings. A replica that starts a request this old
 * first asks the requester whether it is still wanted.
 */
const detourAfterMs = 2_000;
/**
 * An unconfirmed request fails after this time even if our connection was down meanwhile: retrying is better than
 * waiting.
 */
const giveUpMs = 9_000;
/** A replica that has the request confirms it within this time after frames were lost. */
const confirmLostWithinMs = 1_000;
const sweepMs = 250;

type Attempt = Omit<OutgoingOptions, 'token' | 'replyTo' | 'head' | 'own'>;

/** The requester's side of all exchanges of a link. */
export class Requester {
  readonly #link: OutgoingLink;
  readonly #served: RequesterOptions['served'];
  #exchanges = new Map<string, OutgoingExchange>();
  #alarm = new Alarm(this.#exchanges);
  /** Finished requests that a replica may still hold. A replica that confirms one of them later is dismissed. */
  #ambiguous = new LastIds();
  #timer: NodeJS.Timeout | undefined;
  /** Silence before this time does not count: this process was disconnected or blocked. */
  #trustedFrom = 0;
  /** This process was blocked until this time. */
  #awakeFrom = 0;
  #lastSweep = 0;

  constructor({ served, ...options }: RequesterOptions) {
    this.#served = served;
    this.#link = {
      ...options,
      arrived: new ArrivedAnswers(options.mover),
      onOver: (token, ambiguous) => this.#over(token, ambiguous),
    };
  }

  /** Opens an exchange. If a replica is at capacity and the body is in one piece, tries one other replica. */
  open(subject: string, request: ExchangeRequest): Promise<ExchangeResponse> {
    return new Promise((resolve, reject) =>
      this.#attempt(request, {
        subject,
        avoid: undefined,
        resolve,
        reject,
        onRefused: (error, avoid) =>
          request.body instanceof Uint8Array
            ? this.#attempt(request, { subject, avoid, resolve, reject, onRefused: reject })
            : reject(error),
      }),
    );
  }

  /** Handles a frame, or a report of no listener, for one of the exchanges. */
  accept(message: Message): void {
    const token = inboxToken(message.subject);
    const exchange = this.#exchanges.get(token);
    if (exchange) return exchange.accept(message);
    if (message.unheard || !message.reply) return;
    this.#link.mover.publish(message.reply, cancelFrame(this.#ambiguous.has(token)));
  }

  reconnected(): void {
    this.#trust(performance.now());
    this.interrupted();
  }

  /** Frames were lost: unconfirmed requests may have been among them, or their confirmations. */
  interrupted(): void {
    const now = performance.now();
    for (const exchange of this.#exchanges.values()) exchange.interrupted(now);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#alarm.stop();
    for (const exchange of this.#exchanges.values()) exchange.fail(disconnected());
  }

  #attempt(request: ExchangeRequest, attempt: Attempt): void {
    const { mover, gather, arrived } = this.#link;
    if (request.signal?.aborted) return attempt.reject(callerLeft());
    const { own, avoid } = this.#choose(attempt);
    if (own === undefined && !mover.connected()) return attempt.reject(disconnected());
    const head = encodeHead({ ...request.head, sentAt: Date.now(), avoid });
    if (head === undefined) return attempt.reject(requestHeadTooLarge(maxHeadBytes));
    const token = requesterToken();
    this.#watch();
    const replyTo = inboxSubject(mover.id, token);
    const exchange = new OutgoingExchange(this.#link, request, { ...attempt, head, token, replyTo, own });
    this.#exchanges.set(token, exchange);
    this.#alarm.set(exchange.wakeAt);
    if (arrived.isDue) gather.soon(arrived);
  }

  /** This process answers its own request while it has room: no other one is woken. */
  #choose({ subject, avoid }: Attempt): { own?: string; avoid: string | undefined } {
    const served = this.#served(subject);
    if (served === undefined || avoid !== undefined) return { avoid };
    return served.running.isFull ? { avoid: this.#link.mover.id } : { own: served.direct, avoid };
  }

  #over(token: string, ambiguous: boolean): void {
    if (ambiguous) this.#ambiguous.add(token);
    this.#exchanges.delete(token);
  }

  #watch(): void {
    if (this.#timer) return;
    this.#lastSweep = performance.now();
    this.#timer = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#lastSweep > 4 * sweepMs) this.#trust((this.#awakeFrom = now));
    this.#lastSweep = now;
    if (this.#exchanges.size > 0) return this.#checkUnaccepted(now);
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #trust(from: number): void {
    this.#trustedFrom = from;
    this.#link.detours.forgive();
  }

  /** The exchanges are in the order in which they were sent, so the first young one ends the loop. */
  #checkUnaccepted(now: number): void {
    for (const exchange of this.#exchanges.values()) {
      const waitedMs = now - Math.max(exchange.startedAt, this.#awakeFrom);
      if (waitedMs < suspectAfterMs) return;
      if (exchange.accepted) continue;
      if (waitedMs >= giveUpMs) exchange.giveUp(disconnected());
      else if (this.#link.mover.connected()) this.#checkSilence(exchange, now);
    }
  }

  #checkSilence(exchange: OutgoingExchange, now: number): void {
    const silentMs = now - Math.max(exchange.startedAt, this.#trustedFrom);
    const wasLost = now - (exchange.interruptedAt ?? now) >= confirmLostWithinMs && !exchange.isAtHangingReplica();
    if (wasLost || silentMs >= acceptWithinMs) exchange.giveUp(peerLost());
    else if (silentMs >= suspectAfterMs) exchange.onSilence(silentMs >= detourAfterMs);
  }
}
