import { GatewayError } from '@tallyport/contracts';
import { Alarm } from './alarm.ts';
import { arrivedTokens } from './arrived-answers.ts';
import { type ArrivedHead, readBusHead } from './bus-head.ts';
import { answerLost, saturated } from './faults.ts';
import { controlFrame, decodeFrame, encodeFrame, type BusFrame, FrameKind, forwarded, splitHead } from './frame.ts';
import { IncomingExchangeStream, type IncomingLink } from './incoming-exchange.ts';
import { Linger } from './linger.ts';
import type { ExchangeHandler, Listener, ServiceRegistration } from './link.ts';
import type { Message, ServiceEndpoints } from './mover.ts';
import { RunningExchanges } from './running-exchanges.ts';
import type { SentAnswer } from './sent-answer.ts';
import {
  directOf,
  directSubject,
  inboxInstance,
  inboxSubject,
  inboxToken,
  livenessToken,
  operationSubject,
  responderToken,
} from './subject.ts';
import { encodeError } from './wire-error.ts';

type ResponderOptions = Omit<IncomingLink, 'onDone'>;

/** How often a request may be forwarded to find a replica other than the one that refused it. */
const maxForwards = 16;

interface ArrivedRequest {
  subject: string;
  message: Message;
  handler: ExchangeHandler;
  running: RunningExchanges;
}

export interface ServedOperation {
  /** Where it is served by this instance alone. */
  direct: string;
  running: RunningExchanges;
}

/** The responder's side of all exchanges of a link. */
export class Responder {
  readonly #link: IncomingLink;
  #exchanges = new Map<string, IncomingExchangeStream>();
  #alarm = new Alarm(this.#exchanges);
  #linger = new Linger<SentAnswer>();
  /** What this instance serves, by the subject of the operation. */
  #served = new Map<string, ServedOperation>();
  #registrations = new Set<{ stop(): Promise<void> }>();

  constructor(options: ResponderOptions) {
    this.#link = { ...options, onDone: (exchange) => this.#done(exchange) };
  }

  async listen({ service, version, handlers, options = {} }: ServiceRegistration): Promise<Listener> {
    const running = new RunningExchanges(options.maxConcurrent ?? Infinity);
    const endpoints = Object.entries(handlers).map(([name, handler]) => {
      const subject = operationSubject(service, name);
      return { name, subject, handler: (message: Message) => this.#arrived({ subject, message, handler, running }) };
    });
    const statistics = (): Record<string, number> => ({ active: running.count });
    const direct = this.#listenDirectly(service, endpoints);
    const registration = await this.#link.mover.serve({ name: service, version, endpoints, statistics });
    this.#registrations.add(registration);
    for (const { subject } of endpoints)
      this.#served.set(subject, { direct: directOf(subject, this.#link.mover.id), running });
    return {
      active: () => running.count,
      drain: async (deadlineMs) => {
        for (const { subject } of endpoints) this.#served.delete(subject);
        direct.refuse();
        this.#registrations.delete(registration);
        await registration.stop();
        await running.drain(deadlineMs, () => this.#shutDown(running));
        direct.stop();
      },
    };
  }

  /** Receives no more requests that another instance could have; this one is still asked directly until it drains. */
  async leave(): Promise<void> {
    await Promise.all([...this.#registrations].map((registration) => registration.stop()));
  }

  /** How this instance itself answers an operation; `undefined` if it does not, or no longer. */
  served(operation: string): ServedOperation | undefined {
    return this.#served.get(operation);
  }

  /** Handles a frame, or a report of no listener, for an exchange that this instance answers. */
  accept(message: Message): void {
    const token = inboxToken(message.subject);
    const exchange = this.#exchanges.get(token) ?? this.#linger.get(token);
    if (message.unheard) return exchange?.unheard();
    const frame = decodeFrame(message.payload);
    if (!frame) return;
    if (frame.kind === FrameKind.cancel) this.#linger.release(token);
    if (exchange) exchange.accept(frame);
    else if (frame.kind === FrameKind.resend) this.#refuse(message, answerLost(), frame.sequence);
  }

  /** Handles a report of answers that have arrived: they will not be requested again. */
  acceptArrived(payload: Uint8Array): void {
    for (const token of arrivedTokens(payload)) this.#linger.release(token);
  }

  /**
   * Sends the ends of recent answers again, to one requester or to all of them: if it was the end that was lost, the
   * requester sees no gap.
   */
  repeatEnds(requester?: string): void {
    for (const answer of this.#linger.recent())
      if (requester === undefined || answer.requester === requester) answer.repeatEnd();
  }

  close(): void {
    this.#alarm.stop();
    for (const exchange of this.#exchanges.values()) exchange.shutDown();
    this.#link.gather.flush();
  }

  /** Handles requests that are sent to this instance because another replica hangs. */
  #listenDirectly(service: string, endpoints: ServiceEndpoints['endpoints']): { refuse(): void; stop(): void } {
    const handlers = new Map(endpoints.map(({ name, handler }) => [name, handler]));
    const { mover } = this.#link;
    const stop = mover.subscribe(directSubject(service, mover.id, '*'), (message) => {
      const handler = handlers.get(inboxToken(message.subject));
      if (handler) handler(message);
      else if (message.reply) this.#refuse(message, saturated());
    });
    return { refuse: () => handlers.clear(), stop };
  }

  /** Ends the exchanges of one listener. */
  #shutDown(running: RunningExchanges): void {
    for (const exchange of this.#exchanges.values()) if (exchange.running === running) exchange.shutDown();
    this.#link.gather.flush();
  }

  #arrived(arrived: ArrivedRequest): void {
    const { subject, message, running } = arrived;
    const frame = decodeFrame(message.payload);
    if (frame?.kind === FrameKind.ping) return this.#pong(message);
    const parts = frame?.kind === FrameKind.request ? splitHead(frame.payload) : undefined;
    if (!frame || !parts || !message.reply) return;
    const sent = readBusHead(parts.head);
    if (!sent) return this.#refuse(message, unreadable());
    if (sent.avoid === this.#link.mover.id && this.#forward({ ...message, subject }, frame)) return;
    if (running.isFull) return this.#refuse(message, saturated());
    this.#begin(arrived, sent, { ...frame, kind: FrameKind.data, payload: parts.body });
  }

  #begin({ message, handler, running }: ArrivedRequest, { head, sentAt }: ArrivedHead, first: BusFrame): void {
    const token = responderToken();
    const exchange = new IncomingExchangeStream(this.#link, {
      token,
      head,
      sentAt,
      handler,
      running,
      requester: message.reply,
      replyTo: inboxSubject(this.#link.mover.id, token),
    });
    running.begun();
    this.#exchanges.set(token, exchange);
    this.#alarm.set(exchange.wakeAt);
    exchange.start(first);
  }

  #done(exchange: IncomingExchangeStream): void {
    exchange.running.ended();
    this.#exchanges.delete(exchange.token);
    this.#linger.keep(exchange.token, exchange.sentAnswer());
  }

  #pong({ reply }: Message): void {
    const { id } = this.#link.mover;
    const back = inboxSubject(id, livenessToken(inboxInstance(reply)));
    if (reply) this.#link.mover.publish(reply, controlFrame(FrameKind.pong), back);
  }

  /** Forwards the request to the queue group, which may pick a replica with room. */
  #forward(message: Message, frame: BusFrame): boolean {
    if (frame.forwards >= maxForwards) return false;
    const subject = message.subject;
    this.#link.mover.publish(subject, forwarded(message.payload), message.reply);
    return true;
  }

  #refuse(message: Message, error: GatewayError, sequence = 0): void {
    const frame = encodeFrame({ kind: FrameKind.error, last: true, sequence, chunks: [encodeError(error)] });
    this.#link.mover.publish(message.reply, frame, inboxSubject(this.#link.mover.id, responderToken()));
  }
}

const unreadable = (): GatewayError =>
  new GatewayError(
    'internal_error',
    'A service received a request that it cannot read. Check that no incompatible versions are running.',
  );
