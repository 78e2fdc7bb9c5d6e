import { PassThrough } from 'node:stream';
import { once } from 'node:events';
import { GatewayError, toGatewayError } from '@tallyport/contracts';
import type { ServedSession } from '@tallyport/dispatch';
import { within } from '@tallyport/service-kit';
import { encodeSocketMessage, type SocketMessage } from '@tallyport/wire';
import { AskedResponses } from './asked-responses.ts';
import type { SessionType } from './asked-session.ts';
import type { ClientEvent } from './client-event.ts';
import type { ConversationSize } from './conversation-size.ts';
import type { DataMessage, RealtimeDialect } from './dialect.ts';
import type { HeldMoney } from './held-money.ts';
import type { InputTranscription } from './input-transcription.ts';
import type { ServerEvent } from './server-event.ts';
import type { Turns } from './turns.ts';

interface SessionOptions {
  type: SessionType;
  /** As the client named it in the address. */
  model: string | undefined;
  dialect: RealtimeDialect;
  /** The client's messages. */
  incoming: AsyncIterable<SocketMessage>;
  signal: AbortSignal;
  served: ServedSession;
  money: HeldMoney;
  turns: Turns;
  transcription: InputTranscription;
  size: ConversationSize;
}

/** How a session ends for its client. */
interface Ending {
  error?: GatewayError;
  code: number;
  reason: string;
}

/** Requests for responses that the vendor has not begun. */
const mostAsked = 8;
/** How long the usage of what was running or asked for is awaited, once it is cancelled. */
const reportMs = 2_000;

/** Relays the messages of a session in both directions, and holds and settles the money for its responses. */
export class RealtimeRelay {
  readonly #options: SessionOptions;
  readonly #output = new PassThrough({ highWaterMark: 64 * 1024 });
  readonly #ended = Promise.withResolvers<void>();
  /** Resolved once the vendor has nothing to report to a session that ends. */
  readonly #reported = Promise.withResolvers<void>();
  #ending: Ending | undefined;
  readonly #asked = new AskedResponses();
  #isVendorGone = false;
  #isSettled = false;
  readonly #stopped = new AbortController();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#output.on('error', () => undefined);
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (options.signal.aborted) this.#onAbort();
    void this.#readVendor();
    void this.#readClient();
  }

  /** The messages for the client. */
  get output(): AsyncIterable<Uint8Array> {
    return this.#output;
  }

  /** Resolves once everything is settled. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  #onAbort = (): void => this.#fail(toGatewayError(this.#options.signal.reason));

  #fail(error: GatewayError): void {
    void this.#end({ error, code: this.#options.dialect.closeCode(error), reason: error.message });
  }

  async #readVendor(): Promise<void> {
    const { served } = this.#options;
    try {
      await this.#toClient(served.first);
      for (;;) {
        const message = await served.socket.read();
        if (message === undefined || message.kind === 'close') {
          this.#vendorLeft();
          return void this.#end(closingOf(message));
        }
        this.#observe(message);
        await this.#recorded();
        await this.#toClient(message);
      }
    } catch (thrown) {
      this.#vendorLeft();
      this.#fail(served.broke(thrown));
    }
  }

  #vendorLeft(): void {
    this.#isVendorGone = true;
    this.#reported.resolve();
  }

  async #readClient(): Promise<void> {
    try {
      for await (const message of this.#options.incoming) {
        if (message.kind === 'close') break;
        await this.#fromClient(message);
      }
      void this.#end(clientLeft);
    } catch (thrown) {
      this.#fail(toGatewayError(thrown));
    }
  }

  async #fromClient(message: DataMessage): Promise<void> {
    if (this.#ending !== undefined) return;
    try {
      const event = this.#read(message);
      await this.#options.transcription.choose(event.transcription);
      const refusal = await this.#hold(event);
      if (refusal !== undefined) return this.#fail(refusal);
      if (this.#ending !== undefined) return;
      if (event.effect === 'asks') this.#asked.add();
      if (event.effect === 'commits') this.#options.transcription.commit();
      const { passedOn: bytes = message.bytes } = event;
      const room = this.#options.served.socket.send({ ...message, bytes });
      if (room !== undefined) await room;
    } catch (thrown) {
      await this.#refuse(toGatewayError(thrown));
    }
  }

  async #refuse(error: GatewayError): Promise<void> {
    const event = this.#options.dialect.within?.(error);
    if (event === undefined) this.#fail(error);
    else await this.#toClient(textOf(event));
  }

  /** Throws a GatewayError for a message that is not passed on. */
  #read(message: DataMessage): ClientEvent {
    const { dialect, served, model = served.offer.modelName } = this.#options;
    const event = dialect.readClient(message);
    if (event.effect === 'asks' && this.#asked.count >= mostAsked) throw tooManyAsked();
    if (event.model !== undefined && ![model, served.offer.modelName].includes(event.model)) throw otherModel(model);
    return event;
  }

  /** Holds money for everything that the vendor may begin because of the event. */
  async #hold(event: ClientEvent): Promise<GatewayError | undefined> {
    const { type, money, size, transcription } = this.#options;
    size.add(event);
    if (event.effect === 'none') return money.ensure(0);
    if (type === 'transcription' && !transcription.isChosen) throw noTranscriber();
    const refusal = type === 'realtime' ? await money.ensure(this.#asked.count + 1) : undefined;
    size.held();
    return refusal ?? (event.effect === 'asks' ? undefined : transcription.hold());
  }

  #observe({ bytes }: DataMessage): void {
    // The vendor may go on until it reads that its socket is closed.
    if (this.#isSettled) return;
    this.#account(this.#options.dialect.readVendor(bytes));
    if (this.#ending !== undefined && !this.#isOwed) this.#reported.resolve();
  }

  /** Whether the vendor may still report something that costs. */
  get #isOwed(): boolean {
    const { turns, transcription } = this.#options;
    return this.#asked.count > 0 || turns.running.length > 0 || transcription.isOwed;
  }

  #account(event: ServerEvent): void {
    const { type, size, turns, transcription } = this.#options;
    switch (event.type) {
      case 'created':
        return this.#created(event.id);
      case 'done':
        if (type === 'transcription') return this.#fail(tooManyRunning());
        if (event.counted !== undefined) size.read(event.counted);
        if (turns.done(event.id, event) === 'unannounced') this.#asked.begun();
        return;
      case 'updated':
        return transcription.used(event.transcription);
      case 'committed':
        return transcription.committed(event.item);
      case 'transcribed':
        return transcription.done(event.item, event.use);
      case 'untranscribed':
        return transcription.failed(event.item);
      case 'error':
        // The vendor may have refused to begin a response, or to take audio.
        this.#asked.begun();
        return transcription.refused();
      case 'other':
        return;
      default:
        return event satisfies never;
    }
  }

  #created(id: string): void {
    const { type, dialect, turns, served } = this.#options;
    this.#asked.begun();
    if (type === 'transcription' || !turns.created(id)) return this.#fail(tooManyRunning());
    if (this.#ending !== undefined) void served.socket.send(textOf(dialect.cancel(id)));
  }

  /** A client that has read the end of a response can rely on its record, however this process ends. */
  async #recorded(): Promise<void> {
    const { money, transcription } = this.#options;
    await money.recorded();
    await transcription.recorded();
  }

  async #toClient(message: SocketMessage): Promise<void> {
    if (this.#ending !== undefined || this.#output.destroyed) return;
    if (this.#output.write(encodeSocketMessage(message))) return;
    await once(this.#output, 'drain', { signal: this.#stopped.signal }).catch(() => undefined);
  }

  /** Ends what runs, settles all of it, and closes both sides. */
  async #end(ending: Ending): Promise<void> {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    // What the vendor reports from here on is read, although no client gets it.
    this.#stopped.abort();
    const { dialect, served, turns, money, transcription, signal } = this.#options;
    signal.removeEventListener('abort', this.#onAbort);
    if (this.#isOwed && !this.#isVendorGone) {
      for (const id of turns.running) void served.socket.send(textOf(dialect.cancel(id)));
      await within(this.#reported.promise, reportMs);
    }
    this.#isSettled = true;
    turns.end(ending.error);
    money.release();
    transcription.release();
    served.socket.close();
    await this.#recorded();
    this.#close(ending);
    this.#ended.resolve();
  }

  #close({ error, code, reason }: Ending): void {
    const last = error && this.#options.dialect.last(error);
    if (last !== undefined) this.#output.write(encodeSocketMessage(textOf(last)));
    this.#output.end(encodeSocketMessage({ kind: 'close', code, reason }));
  }
}

const textOf = (text: string): DataMessage => ({ kind: 'text', bytes: Buffer.from(text) });

const clientLeft: Ending = { code: 1000, reason: '' };
const vendorLeft: Ending = { code: 1011, reason: 'The provider has ended the session.' };

/** What the vendor says in its close frame. */
function closingOf(message: Extract<SocketMessage, { kind: 'close' }> | undefined): Ending {
  if (message === undefined) return vendorLeft;
  const { code, reason } = message;
  const isSendable = (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || code >= 3000;
  return { code: isSendable ? code : 1000, reason };
}

const tooManyAsked = (): GatewayError =>
  new GatewayError('rate_limit_exceeded', `${mostAsked} responses were asked for and have not begun. Wait for them.`);

const noTranscriber = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    'Name the model first: session.update with session.audio.input.transcription.',
  );

const otherModel = (model: string): GatewayError =>
  new GatewayError('invalid_parameters', `session.model: this session has ${model}. Leave it out.`, {
    param: 'session.model',
  });

const tooManyRunning = (): GatewayError =>
  new GatewayError('upstream_error', 'The provider began too many responses at once.', { domain: 'provider' });
