import { GatewayError, type RequestHead, requestHeadSchema } from '@switchyard/contracts';
import { answerLost, saturated } from './faults.ts';
import { decodeFrame, encodeFrame, type BusFrame, FrameKind, forwarded, splitHead } from './frame.ts';
import type { Gather } from './gather.ts';
import { IncomingExchangeStream } from './incoming-exchange.ts';
import { decodeJson } from './json.ts';
import { Linger } from './linger.ts';
import type { ExchangeHandler, Listener, ServiceRegistration } from './link.ts';
import type { Message, Mover } from './mover.ts';
import type { Peers } from './peers.ts';
import { RunningExchanges } from './running-exchanges.ts';
import { inboxSubject, inboxToken, operationSubject, responderToken } from './subject.ts';
import { encodeError } from './wire-error.ts';

export interface ResponderOptions {
  mover: Mover;
  gather: Gather;
  peers: Peers;
}

/** A requester is told where its exchange runs within this time, if no frame of the answer told it before. */
const confirmMs = 100;
/** How often a request may be handed on to find a replica other than the one that refused it. */
const maxForwards = 16;

interface ArrivedRequest {
  message: Message;
  handler: ExchangeHandler;
  running: RunningExchanges;
}

/** Our side of every exchange we answer. */
export class Responder {
  #options: ResponderOptions;
  #exchanges = new Map<string, IncomingExchangeStream>();
  #linger = new Linger<IncomingExchangeStream>();
  #unconfirmed = new Set<IncomingExchangeStream>();
  #confirming: NodeJS.Timeout | undefined;
  #counter = 0;

  constructor(options: ResponderOptions) {
    this.#options = options;
  }

  async listen({ service, version, handlers, options = {} }: ServiceRegistration): Promise<Listener> {
    const running = new RunningExchanges(options.maxConcurrent ?? Infinity);
    const endpoints = Object.entries(handlers).map(([name, handler]) => ({
      name,
      subject: operationSubject(service, name),
      handler: (message: Message) => this.#arrived({ message, handler, running }),
    }));
    const statistics = (): Record<string, number> => ({ active: running.count });
    const served = await this.#options.mover.serve({ name: service, version, endpoints, statistics });
    return {
      active: () => running.count,
      drain: async (deadlineMs) => {
        await served.stop();
        await running.drain(deadlineMs, () => this.#options.gather.flush());
      },
    };
  }

  /** A frame, or the broker's word, for an exchange we answer. */
  accept(message: Message): void {
    const token = inboxToken(message.subject);
    const exchange = this.#exchanges.get(token) ?? this.#linger.get(token);
    if (message.unheard) return exchange?.unheard();
    const frame = decodeFrame(message.payload);
    if (!frame) return;
    if (exchange) exchange.take(frame);
    else if (frame.kind === FrameKind.resend) this.#refuse(message, answerLost(), frame.sequence);
  }

  close(): void {
    clearTimeout(this.#confirming);
    for (const exchange of this.#exchanges.values()) exchange.shutDown();
    this.#options.gather.flush();
  }

  #arrived({ message, handler, running }: ArrivedRequest): void {
    const frame = decodeFrame(message.payload);
    const parts = frame?.kind === FrameKind.request ? splitHead(frame.payload) : undefined;
    if (!frame || !parts || !message.reply) return;
    const head = busHeadSchema.safeParse(decodeJson(parts.head)).data;
    if (!head) return this.#refuse(message, unreadable());
    if (head.avoid === this.#options.mover.id && this.#forward(message, frame)) return;
    if (running.isFull) return this.#refuse(message, saturated());
    this.#begin({ message, handler, running }, head, { ...frame, kind: FrameKind.data, payload: parts.body });
  }

  #begin({ message, handler, running }: ArrivedRequest, head: RequestHead, first: BusFrame): void {
    const token = responderToken(this.#counter++);
    const exchange = new IncomingExchangeStream({
      ...this.#options,
      head,
      handler,
      requester: message.reply,
      replyTo: inboxSubject(this.#options.mover.id, token),
      onConfirmed: (confirmed) => this.#confirmed(confirmed),
      onDone: (done) => {
        running.delete(done);
        this.#exchanges.delete(token);
        this.#linger.keep(token, done);
      },
    });
    running.add(exchange);
    this.#exchanges.set(token, exchange);
    this.#confirmSoon(exchange);
    exchange.start(first);
  }

  /** Most answers begin before it is time; then no timer fires at all. */
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

  /** Another replica may have room: the queue group picks again. */
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

const busHeadSchema = requestHeadSchema.extend({ avoid: requestHeadSchema.shape.requestId.optional() });

const unreadable = (): GatewayError =>
  new GatewayError(
    'internal_error',
    'A service was asked in a form it cannot read. Are two incompatible versions running?',
  );
