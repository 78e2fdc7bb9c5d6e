import type { GatewayError } from '@switchyard/contracts';
import { type StreamTranslator, type TextLane, createTextLane } from '@switchyard/providers';
import {
  type ChatChunk,
  type Frame,
  type FrameDecoder,
  type Usage,
  createSseDecoder,
  encodeSse,
} from '@switchyard/wire';
import { type Attempt, type OpenedResponse, stopAttempt } from '../attempt.ts';
import { type AttemptFailure, asAttemptFailure } from '../failure.ts';
import { estimateUsage } from '../outcome.ts';
import type { BodyReader } from '../upstream/decode.ts';
import { UpstreamFailure } from '../upstream/failure.ts';
import { contentBytes, isContent } from './content.ts';

/** After the finish reason only the usage is still awaited, and not for long. */
const finishGraceMs = 5_000;
/** After the vendor's last word the connection should be free at once. */
const releaseGraceMs = 1_000;
/** Chunks without content kept for after the commit; a vendor that sends more of them only shows that it lives. */
const maxHeldChunks = 64;

/** The client's form of a chunk, as JSON text; `undefined` leaves it out. Of plain text chunks only the text may differ. */
export type RenderChunk = (chunk: ChatChunk) => string | undefined;

/** What a stream came to. */
export interface StreamEnding {
  /** Absent: it ended well. */
  failure: AttemptFailure | undefined;
  /** As the provider told it last, or made from the text that was handed on. */
  usage: Usage;
  usageEstimated: boolean;
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
  #reading = false;
  /** Content has come since the timer was set, or it fired while nobody was reading: the silence starts anew. */
  #timerIsStale = false;
  #timer: NodeJS.Timeout;
  #restarts = 0;
  #totalTimer: NodeJS.Timeout;
  /** Only the usage is still awaited: silence ends the stream well. */
  #finishing = false;
  #parts: Buffer[] = [];

  constructor(attempt: Attempt, { body }: OpenedResponse) {
    const { provider, context, equipment } = attempt;
    this.#attempt = attempt;
    this.#body = body;
    this.#decoder = createSseDecoder({ maxFrameBytes: equipment.maxFrameBytes });
    this.#translator = provider.stream(context);
    this.#lane = provider.textDeltasAreIndependent ? createTextLane() : undefined;
    const { idleMs, totalStreamMs } = equipment.timeouts;
    this.#timer = setTimeout(() => this.#onSilence(), idleMs);
    this.#totalTimer = setTimeout(() => {
      stopAttempt(attempt, new UpstreamFailure('max_duration', `was still answering after ${totalStreamMs} ms`));
    }, totalStreamMs);
  }

  /** Resolves with the first content. Throws what failed before it. */
  async commit(): Promise<void> {
    try {
      while (!this.#committed) {
        await this.#advance();
        if (this.#failure !== undefined && !this.#committed) throw this.#failure;
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

  /** Told once what the stream came to, however it ends after its commit. */
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

  /** Leaves: the socket closes at once and what was delivered is told. */
  cancel(failure: UpstreamFailure): void {
    stopAttempt(this.#attempt, failure);
    this.#fail(failure);
  }

  /** One step: whatever one socket read brought. */
  async #advance(): Promise<void> {
    if (this.#timerIsStale) this.#restartTimer();
    this.#reading = true;
    const chunks = await this.#nextChunks();
    this.#reading = false;
    this.#guard(() => {
      if (chunks === undefined) this.#endOfBody();
      else for (const chunk of chunks) this.#accept(this.#decoder.push(chunk));
    });
  }

  /** What came before a fault in the same read is delivered first. */
  #guard(step: () => void): void {
    try {
      step();
      if (!this.#finishing && this.#translator.finished()) this.#awaitUsage();
    } catch (thrown) {
      this.#failure = thrown;
    }
  }

  async #nextChunks(): Promise<Buffer[] | undefined> {
    try {
      return await this.#body.read();
    } catch (thrown) {
      if (this.#finishing && !(thrown instanceof UpstreamFailure && thrown.kind === 'max_duration')) return undefined;
      throw thrown;
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
        this.#timerIsStale = true;
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
      this.#timerIsStale = true;
    }
    if (this.#render !== undefined) return this.#write(chunk);
    if (hasContent || this.#held.length < maxHeldChunks) this.#held.push(chunk);
    return undefined;
  }

  /** A stream whose provider never told its usage ends with ours, so that clients who asked for it get one. */
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
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onSilence(), finishGraceMs);
  }

  #restartTimer(): void {
    this.#timerIsStale = false;
    this.#restarts += 1;
    this.#timer.refresh();
  }

  /** A slow reader is not the provider's silence: only while we wait for the provider does it count. */
  #onSilence(): void {
    if (!this.#reading) {
      this.#timerIsStale = true;
      return;
    }
    // When our own process stood still, what came meanwhile is read in this very turn: timers run before sockets.
    const restarts = this.#restarts;
    setImmediate(() => {
      if (!this.#reading || restarts !== this.#restarts) this.#timerIsStale = true;
      else stopAttempt(this.#attempt, new UpstreamFailure('stalled', 'sent no content for too long'));
    });
  }

  #clearTimers(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#totalTimer);
  }

  #finish(): undefined {
    this.#attempt.call?.discardRest(releaseGraceMs);
    this.#settle(undefined);
  }

  #fail(thrown: unknown): GatewayError {
    const failure = asAttemptFailure(thrown, this.#attempt.provider.id, this.#attempt.status);
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
    onEnd?.({ failure, usage, usageEstimated: told === undefined });
  }
}
