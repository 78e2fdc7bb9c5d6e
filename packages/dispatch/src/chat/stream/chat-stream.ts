import { GatewayError } from '@switchyard/contracts';
import { estimateUsage } from '@switchyard/pricing';
import { type StreamTranslator, type TextLane, createTextLane } from '@switchyard/providers';
import { type ChatChunk, type Frame, type FrameDecoder, type Usage, encodeSse } from '@switchyard/wire';
import { withKeyOwner } from '../../failure/own-key-failure.ts';
import type { Attempt } from '../attempt.ts';
import type { AttemptFailure } from '../../failure/attempt-failure.ts';
import { asAttemptFailure } from '../../failure/classify.ts';
import { type OpenedResponse, stopAttempt } from '../../attempts/open-request.ts';
import type { BodyReader } from '../../upstream/decode.ts';
import { UpstreamFailure } from '../../failure/upstream-failure.ts';
import { contentBytes, chunkImageCount, isContent } from './content.ts';
import { createFrameDecoder } from './frame-decoder.ts';

/** After the finish reason only the usage is still awaited, and not for long. */
const finishGraceMs = 5_000;
/** After the vendor's last word the connection should be free at once. */
const releaseGraceMs = 1_000;
/** A stream is stalled after one tick more than this, so never too early and at most a quarter too late. */
const ticksOfSilence = 4;
/** Chunks without content kept for after the commit; a vendor that sends more of them only shows that it lives. */
const maxHeldChunks = 64;

/** The client's form of a chunk, as JSON text; `undefined` leaves it out. Of plain text chunks only the text may differ. */
export type RenderChunk = (chunk: ChatChunk) => string | undefined;

/** The outcome of a stream. */
export interface StreamEnding {
  /** Absent: it ended well. */
  failure: AttemptFailure | undefined;
  /** As the provider reported it last, or estimated from the text that was delivered. */
  usage: Usage;
  usageEstimated: boolean;
  /** Frames that could not be read and were left out. */
  skippedFrames: number;
  images: number;
}

/** One provider's answer while it arrives. Until `commit` resolves nothing of it has been shown to anyone. */
export class ChatStream {
  readonly #attempt: Attempt;
  readonly #body: BodyReader;
  readonly #decoder: FrameDecoder;
  readonly #translator: StreamTranslator;
  readonly #lane: TextLane | undefined;
  #render: RenderChunk | undefined;
  #onEnd: ((ending: StreamEnding) => void) | undefined;
  #held: ChatChunk[] = [];
  /** Came together with the first content: the fast lane opens for them once it is known what clients see. */
  #waiting: Frame[] = [];
  #lastChunk: ChatChunk | undefined;
  #committed = false;
  #ended = false;
  #failure: unknown;
  #deliveredBytes = 0;
  #images = 0;
  #reading = false;
  #silentTicks = 0;
  #ticker: NodeJS.Timeout;
  #totalTimer: NodeJS.Timeout;
  /** Only the usage is still awaited: silence ends the stream well. */
  #finishing = false;
  #parts: Buffer[] = [];

  constructor(attempt: Attempt, { body }: OpenedResponse) {
    const { provider, context, equipment } = attempt;
    this.#attempt = attempt;
    this.#body = body;
    this.#decoder = createFrameDecoder(provider.framing, { maxFrameBytes: equipment.maxFrameBytes });
    this.#translator = provider.stream(context);
    this.#lane = isLaneOpen(attempt) ? createTextLane() : undefined;
    const { idleMs, totalStreamMs } = equipment.timeouts;
    this.#ticker = this.#watchSilence(idleMs);
    this.#totalTimer = setTimeout(() => {
      stopAttempt(attempt, new UpstreamFailure('max_duration', `was still answering after ${totalStreamMs} ms`));
    }, totalStreamMs);
  }

  /** Resolves with the first content. Throws what failed before it. */
  async commit(): Promise<void> {
    try {
      while (!this.#committed) {
        await this.#advance();
        if (this.#committed) return;
        if (this.#failure !== undefined) throw this.#failure;
        if (this.#ended) throw this.#empty();
      }
    } catch (thrown) {
      this.#clearTimers();
      stopAttempt(this.#attempt, new UpstreamFailure('left', 'failed before its first content'));
      throw thrown;
    }
  }

  /** Call once, before `read`: how chunks look to the client. */
  render(render: RenderChunk): void {
    this.#render = render;
    for (const chunk of this.#held) this.#write(chunk);
    this.#held = [];
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#guard(() => this.#accept(waiting));
  }

  /** Called once with the outcome of the stream, however it ends after its commit. */
  onEnd(onEnd: (ending: StreamEnding) => void): void {
    this.#onEnd = onEnd;
  }

  /**
   * The events that arrived together, as bytes; `undefined` after a proper end. Throws GatewayError when the provider
   * fails now, after everything that came before it was read. One reader at a time.
   */
  async read(): Promise<Uint8Array | undefined> {
    try {
      for (;;) {
        if (this.#parts.length > 0) return this.#take();
        if (this.#failure !== undefined) throw this.#failure;
        if (this.#ended) return this.#finish();
        await this.#advance();
      }
    } catch (thrown) {
      throw this.#fail(thrown);
    }
  }

  /** Closes the socket at once and reports what was delivered. */
  cancel(failure: UpstreamFailure): void {
    stopAttempt(this.#attempt, failure);
    this.#fail(failure);
  }

  /** One step: whatever one socket read brought. */
  #advance(): Promise<void> {
    this.#reading = true;
    return this.#body.ready().then(this.#arrived, this.#broken);
  }

  #arrived = (more: boolean): void => {
    this.#reading = false;
    this.#guard(() => {
      if (!more) return this.#endOfBody();
      for (const chunk of this.#body.take()) this.#accept(this.#decoder.push(chunk));
    });
  };

  /** While only the usage is awaited a break is an end as good as any, but for the wall clock. */
  #broken = (thrown: unknown): void => {
    if (!this.#finishing || (thrown instanceof UpstreamFailure && thrown.kind === 'max_duration')) throw thrown;
    this.#arrived(false);
  };

  /** What came before a fault in the same read is delivered first. */
  #guard(step: () => void): void {
    try {
      step();
      if (!this.#finishing && this.#translator.finished()) this.#awaitUsage();
    } catch (thrown) {
      this.#failure = thrown;
    }
  }

  #accept(frames: Frame[]): void {
    for (const frame of frames) {
      if (this.#ended) return;
      if (this.#committed && this.#render === undefined) {
        this.#waiting.push(frame);
        continue;
      }
      const event = this.#lane?.forward(frame);
      if (event === undefined) this.#translate(frame);
      else {
        this.#parts.push(event);
        this.#silentTicks = 0;
      }
      if (this.#translator.done()) this.#endOfBody();
    }
  }

  #translate(frame: Frame): void {
    const chunks = this.#translator.frame(frame);
    let output: Buffer | undefined;
    for (const chunk of chunks) output = this.#deliver(chunk);
    if (output !== undefined) this.#lane?.learn({ frame, chunks, output });
  }

  #endOfBody(): void {
    if (this.#ended) return;
    this.#accept(this.#decoder.end());
    for (const chunk of this.#translator.end()) this.#deliver(chunk);
    if (this.#translator.usage() === undefined) this.#deliverEstimate();
    this.#ended = true;
  }

  #deliver(chunk: ChatChunk): Buffer | undefined {
    this.#lastChunk = chunk;
    const hasContent = isContent(chunk);
    if (hasContent) {
      this.#committed = true;
      this.#silentTicks = 0;
    }
    if (this.#render !== undefined) return this.#write(chunk);
    if (hasContent || this.#held.length < maxHeldChunks) this.#held.push(chunk);
    return undefined;
  }

  /** A stream whose provider reported no usage ends with an estimate, for clients that asked for usage. */
  #deliverEstimate(): void {
    const last = this.#lastChunk;
    if (last === undefined) return;
    const { id, object, created, model } = last;
    const usage = estimateUsage(this.#attempt.chat.request, this.#allDeliveredBytes());
    this.#deliver({ id, object, created, model, choices: [], usage });
  }

  #allDeliveredBytes(): number {
    return this.#deliveredBytes + (this.#lane?.contentBytes() ?? 0);
  }

  #write(chunk: ChatChunk): Buffer | undefined {
    this.#deliveredBytes += contentBytes(chunk);
    this.#images += chunkImageCount(chunk);
    const json = this.#render?.(chunk);
    if (json === undefined) return undefined;
    const event = encodeSse(json);
    this.#parts.push(event);
    return event;
  }

  #take(): Uint8Array {
    const parts = this.#parts;
    this.#parts = [];
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  #awaitUsage(): void {
    this.#finishing = true;
    clearInterval(this.#ticker);
    this.#ticker = this.#watchSilence(finishGraceMs);
  }

  /**
   * Counts ticks without content instead of setting a timer anew with every chunk. Only ticks in which we wait for the
   * provider count: a slow reader is not its silence, and when our own process stood still that is one tick, not many.
   */
  #watchSilence(limitMs: number): NodeJS.Timeout {
    return setInterval(() => {
      this.#silentTicks = this.#reading ? this.#silentTicks + 1 : 0;
      if (this.#silentTicks <= ticksOfSilence) return;
      stopAttempt(this.#attempt, new UpstreamFailure('stalled', 'sent no content for too long'));
    }, limitMs / ticksOfSilence);
  }

  #empty(): GatewayError {
    const message = `${this.#attempt.provider.id} ended its stream without an answer.`;
    return new GatewayError('upstream_error', message, { domain: 'provider' });
  }

  #clearTimers(): void {
    clearInterval(this.#ticker);
    clearTimeout(this.#totalTimer);
  }

  #finish(): undefined {
    this.#attempt.call?.discardRest(releaseGraceMs);
    this.#settle(undefined);
  }

  #fail(thrown: unknown): GatewayError {
    const { provider, status, target } = this.#attempt;
    const failure = withKeyOwner(asAttemptFailure(thrown, provider.id, status), target, provider.id);
    stopAttempt(this.#attempt, new UpstreamFailure('left', 'failed'));
    this.#settle(failure);
    return failure.error;
  }

  #settle(failure: AttemptFailure | undefined): void {
    this.#clearTimers();
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    const told = this.#translator.usage();
    const usage = told ?? estimateUsage(this.#attempt.chat.request, this.#allDeliveredBytes());
    const skippedFrames = this.#translator.skipped();
    onEnd?.({ failure, usage, usageEstimated: told === undefined, skippedFrames, images: this.#images });
  }
}

/** Thinking that leads to calls is kept for their vendor, so it has to be read. */
function isLaneOpen({ provider, chat }: Attempt): boolean {
  const keepsThinking = provider.callSignatures?.fromThinking === true && (chat.request.tools?.length ?? 0) > 0;
  return provider.textDeltasAreIndependent && !keepsThinking;
}
