import { GatewayError } from '@switchyard/contracts';
import { type BusHead, busHeadSchema } from './bus-head.ts';
import { answerLost, saturated } from './faults.ts';
import { controlFrame, decodeFrame, encodeFrame, type BusFrame, FrameKind, forwarded, splitHead } from './frame.ts';
import type { Gather } from './gather.ts';
import { IncomingExchangeStream } from './incoming-exchange.ts';
import { decodeJson } from './json.ts';
import { Linger } from './linger.ts';
import type { ExchangeHandler, Listener, ServiceRegistration } from './link.ts';
import type { Message, Mover } from './mover.ts';
import type { Peers } from './peers.ts';
import { RunningExchanges } from './running-exchanges.ts';
import type { SentAnswer } from './sent-answer.ts';
import {
  directToken,
  inboxInstance,
  inboxSubject,
  inboxToken,
  livenessToken,
  operationSubject,
  responderToken,
} from './subject.ts';
import { encodeError } from './wire-error.ts';

export interface ResponderOptions {
  mover: Mover;
  gather: Gather;
  peers: Peers;
}

/**
 * The requester learns where its exchange runs within this time, from a frame of the answer or from a separate
 * confirmation. If a replica hangs before that, it is not known to have the request, and another one answers it as
 * well. With a shorter time nearly every answer under load costs one more frame: 25 ms took 17 % more CPU per request.
 */
const confirmMs = 100;
/** How often a request may be forwarded to find a replica other than the one that refused it. */
const maxForwards = 16;

interface ArrivedRequest {
  subject: string;
  message: Message;
  handler: ExchangeHandler;
  running: RunningExchanges;
}

/** The responder's side of all exchanges of a link. */
export class Responder {
  #options: ResponderOptions;
  #exchanges = new Map<string, IncomingExchangeStream>();
  #linger = new Linger<SentAnswer>();
  #unconfirmed = new Set<IncomingExchangeStream>();
  #confirming: NodeJS.Timeout | undefined;
  /** Handlers of requests addressed to this instance, by token. */
  #direct = new Map<string, (message: Message) => void>();
  #counter = 0;

  constructor(options: ResponderOptions) {
    this.#options = options;
  }

  async listen({ service, version, handlers, options = {} }: ServiceRegistration): Promise<Listener> {
    const running = new RunningExchanges(options.maxConcurrent ?? Infinity);
    const endpoints = Object.entries(handlers).map(([name, handler]) => {
      const subject = operationSubject(service, name);
      return { name, subject, handler: (message: Message) => this.#arrived({ subject, message, handler, running }) };
    });
    for (const { subject, handler } of endpoints) this.#direct.set(directToken(subject), handler);
    const statistics = (): Record<string, number> => ({ active: running.count });
    const registration = await this.#options.mover.serve({ name: service, version, endpoints, statistics });
    return {
      active: () => running.count,
      drain: async (deadlineMs) => {
        for (const { subject, handler } of endpoints) {
          if (this.#direct.get(directToken(subject)) === handler) this.#direct.delete(directToken(subject));
        }
        await registration.stop();
        await running.drain(deadlineMs, () => this.#options.gather.flush());
      },
    };
  }

  /** Handles a frame, or a report of no listener, for an exchange that this instance answers. */
  accept(message: Message): void {
    const token = inboxToken(message.subject);
    const exchange = this.#exchanges.get(token) ?? this.#linger.get(token);
    if (message.unheard) return exchange?.unheard();
    const frame = decodeFrame(message.payload);
    if (!frame) return;
    if (exchange) exchange.accept(frame);
    else if (frame.kind === FrameKind.resend) this.#refuse(message, answerLost(), frame.sequence);
  }

  /** Handles a request that was sent to this instance directly because another replica hangs. */
  acceptDirect(message: Message): void {
    const handler = this.#direct.get(inboxToken(message.subject));
    if (handler) handler(message);
    else if (message.reply) this.#refuse(message, saturated());
  }

  close(): void {
    clearTimeout(this.#confirming);
    for (const exchange of this.#exchanges.values()) exchange.shutDown();
    this.#options.gather.flush();
  }

  #arrived(arrived: ArrivedRequest): void {
    const { subject, message, running } = arrived;
    const frame = decodeFrame(message.payload);
    if (frame?.kind === FrameKind.ping) return this.#pong(message);
    const parts = frame?.kind === FrameKind.request ? splitHead(frame.payload) : undefined;
    if (!frame || !parts || !message.reply) return;
    const sent = busHeadSchema.safeParse(decodeJson(parts.head)).data;
    if (!sent) return this.#refuse(message, unreadable());
    if (sent.avoid === this.#options.mover.id && this.#forward({ ...message, subject }, frame)) return;
    if (running.isFull) return this.#refuse(message, saturated());
    this.#begin(arrived, sent, { ...frame, kind: FrameKind.data, payload: parts.body });
  }

  /** Starts the exchange. The handler gets the head without the fields that the bus added. */
  #begin({ message, handler, running }: ArrivedRequest, sent: BusHead, first: BusFrame): void {
    const { avoid: _avoid, sentAt, ...head } = sent;
    const token = responderToken(this.#counter++);
    const exchange = new IncomingExchangeStream({
      ...this.#options,
      head,
      sentAt,
      handler,
      requester: message.reply,
      replyTo: inboxSubject(this.#options.mover.id, token),
      onConfirmed: (confirmed) => this.#confirmed(confirmed),
      onDone: (done) => {
        running.delete(done);
        this.#exchanges.delete(token);
        this.#linger.keep(token, done.sentAnswer());
      },
    });
    running.add(exchange);
    this.#exchanges.set(token, exchange);
    this.#confirmSoon(exchange);
    exchange.start(first);
  }

  /** One timer for all exchanges. It rarely fires, because most answers begin sooner. */
  #confirmSoon(exchange: IncomingExchangeStream): void {
    this.#unconfirmed.add(exchange);
    this.#confirming ??= setTimeout(() => {
      this.#confirming = undefined;
      const unconfirmed = this.#unconfirmed;
      this.#unconfirmed = new Set();
      for (const waiting of unconfirmed) waiting.confirm();
    }, confirmMs);
  }

  #confirmed(exchange: IncomingExchangeStream): void {
    this.#unconfirmed.delete(exchange);
    if (this.#unconfirmed.size > 0 || !this.#confirming) return;
    clearTimeout(this.#confirming);
    this.#confirming = undefined;
  }

  #pong({ reply }: Message): void {
    const { id } = this.#options.mover;
    const back = inboxSubject(id, livenessToken(inboxInstance(reply)));
    if (reply) this.#options.mover.publish(reply, controlFrame(FrameKind.pong), back);
  }

  /** Forwards the request to the queue group, which may pick a replica with room. */
  #forward(message: Message, frame: BusFrame): boolean {
    if (frame.forwards >= maxForwards) return false;
    const subject = message.subject;
    this.#options.mover.publish(subject, forwarded(message.payload), message.reply);
    return true;
  }

  #refuse(message: Message, error: GatewayError, sequence = 0): void {
    const frame = encodeFrame({ kind: FrameKind.error, last: true, sequence, chunks: [encodeError(error)] });
    this.#options.mover.publish(
      message.reply,
      frame,
      inboxSubject(this.#options.mover.id, responderToken(this.#counter++)),
    );
  }
}

const unreadable = (): GatewayError =>
  new GatewayError(
    'internal_error',
    'A service received a request that it cannot read. Check that no incompatible versions are running.',
  );
