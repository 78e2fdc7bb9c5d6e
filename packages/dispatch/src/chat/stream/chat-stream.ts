import { GatewayError } from '@tallyport/contracts';
import type { StreamTranslator } from '@tallyport/providers';
import type { AnswerEvent, ChatChunk, ChunkEvent, Frame, FrameDecoder, VendorEvent } from '@tallyport/wire';
import { type BodyReader, UpstreamFailure } from '@tallyport/outbound';
import { failureOfAttempt } from '../../failure/own-key-failure.ts';
import type { Attempt } from '../attempt.ts';
import type { AnswerFacts } from '../chat-outcome.ts';
import type { AttemptFailure } from '../../failure/attempt-failure.ts';
import { stopAttempt } from '../../attempts/open-request.ts';
import type { OpenedResponse } from '../../attempts/opened-response.ts';
import { StreamDeadlines } from '../../attempts/stream-deadlines.ts';
import { isContent } from './content.ts';
import { createFrameDecoder } from './frame-decoder.ts';
import { type RenderChunk, StreamOutput } from './stream-output.ts';
import { StreamMeter, type StreamUsage } from './stream-usage.ts';
import { createTextEvents, type TextEvents } from './text-events.ts';

/** How long to wait for the usage after the finish reason. */
const finishGraceMs = 5_000;
/** The same if the client has left. */
const usageGraceMs = 1_000;
/** How long to wait for the end of the body after the last event, to reuse the connection. */
const releaseGraceMs = 1_000;

/** The outcome of a stream. */
export interface StreamEnding extends StreamUsage {
  /** Absent if the stream ended well. */
  failure: AttemptFailure | undefined;
  /** Frames that could not be parsed and were skipped. */
  skippedFrames: number;
  images: number;
  answer: AnswerFacts | undefined;
}

/** One provider's answer while it arrives. The client sees nothing of it until `commit` resolves. */
export class ChatStream {
  readonly #attempt: Attempt;
  readonly #body: BodyReader;
  readonly #decoder: FrameDecoder;
  readonly #translator: StreamTranslator;
  readonly #texts: TextEvents | undefined;
  #onEnd: ((ending: StreamEnding) => void) | undefined;
  /** Frames that arrived with the first content; they wait for `render`, so that the fast lane can take them. */
  #waiting: Frame[] = [];
  #lastChunk: ChatChunk | undefined;
  #committed = false;
  #ended = false;
  #failure: unknown;
  readonly #meter: StreamMeter;
  readonly #output: StreamOutput;
  #reading = false;
  #advancing: Promise<void> | undefined;
  readonly #deadlines: StreamDeadlines;
  /** Only the usage is missing: silence now ends the stream well. */
  #finishing = false;
  /** The connection broke while only the usage was missing, so the reported usage may be partial. */
  #broke = false;
  /** The client has left while only the usage was missing. */
  #leaving: { failure: UpstreamFailure; over: Promise<GatewayError> } | undefined;

  constructor(attempt: Attempt, { body }: OpenedResponse) {
    const { provider, context, equipment, native } = attempt;
    this.#attempt = attempt;
    this.#body = body;
    this.#decoder = createFrameDecoder(provider.framing, { maxFrameBytes: equipment.maxFrameBytes }, native?.unwrap);
    this.#translator = provider.stream(context);
    this.#texts = isLaneOpen(attempt) ? createTextEvents(native !== undefined) : undefined;
    this.#meter = new StreamMeter(attempt, {
      uncounted: () => this.#texts?.contentBytes() ?? 0,
      tier: () => this.#translator.tier?.(),
    });
    this.#output = new StreamOutput((chunk) => this.#meter.count(chunk), native?.frame);
    this.#deadlines = new StreamDeadlines(attempt, { isWaiting: () => this.#reading, missing: 'no content' });
  }

  /** Resolves with the first content. Throws any earlier failure. */
  async commit(): Promise<void> {
    try {
      while (!this.#committed) {
        await this.#advance();
        if (this.#committed) return;
        if (this.#failure !== undefined) throw this.#failure;
        if (this.#ended) throw this.#empty();
      }
    } catch (thrown) {
      this.#deadlines.stop();
      this.#attempt.accepted.usage = this.#translator.usage();
      stopAttempt(this.#attempt, new UpstreamFailure('left', 'failed before its first content'));
      throw thrown;
    }
  }

  /** Sets how chunks are shown to the client. Call once, before `read`. */
  render(render: RenderChunk): void {
    const event = this.#output.open(render);
    this.#texts?.shown(event);
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#guard(() => this.#accept(waiting));
  }

  /** Called once with the outcome of a committed stream. */
  onEnd(onEnd: (ending: StreamEnding) => void): void {
    this.#onEnd = onEnd;
  }

  /**
   * The next events; `undefined` after a proper end. If the provider fails, everything received before the
   * failure is returned first, then it throws GatewayError. Supports one reader at a time.
   */
  async read(): Promise<AnswerEvent[] | undefined> {
    try {
      while (this.#leaving === undefined) {
        if (this.#output.hasEvents()) return this.#output.take();
        if (this.#failure !== undefined) throw this.#failure;
        if (this.#ended) return this.#finish();
        await this.#advance();
      }
    } catch (thrown) {
      throw this.#fail(thrown);
    }
    throw await this.#leaving.over;
  }

  /**
   * Closes the socket and reports what was delivered; if the client left while only the usage was missing, after a
   * short wait.
   */
  cancel(failure: UpstreamFailure): void {
    if (this.#finishing && isClientGone(failure)) this.#leaving ??= { failure, over: this.#leaveAfterUsage(failure) };
    else this.#leaveNow(failure);
  }

  #leaveNow(failure: UpstreamFailure): GatewayError {
    stopAttempt(this.#attempt, failure);
    return this.#fail(failure);
  }

  async #leaveAfterUsage(failure: UpstreamFailure): Promise<GatewayError> {
    const timer = setTimeout(() => stopAttempt(this.#attempt, failure), usageGraceMs);
    try {
      await this.#advancing;
      while (!this.#ended && this.#failure === undefined) await this.#advance();
    } catch {
      // The stream broke: bill what was delivered until then.
    }
    clearTimeout(timer);
    return this.#leaveNow(failure);
  }

  /** Handles one read of the socket. */
  #advance(): Promise<void> {
    this.#reading = true;
    this.#advancing = this.#body.ready().then(this.#arrived, this.#broken);
    return this.#advancing;
  }

  #arrived = (more: boolean): void => {
    this.#reading = false;
    this.#guard(more ? this.#takeArrived : this.#endOfBody);
  };

  #takeArrived = (): void => {
    for (const chunk of this.#body.take()) this.#accept(this.#decoder.push(chunk));
  };

  /** While only the usage is missing, a broken connection is a good end, unless the attempt took too long. */
  #broken = (thrown: unknown): void => {
    if (!this.#finishing || (thrown instanceof UpstreamFailure && thrown.kind === 'max_duration')) throw thrown;
    this.#broke = true;
    this.#arrived(false);
  };

  /** Delivers what arrived before a failure in the same read before the failure is thrown. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (thrown) {
      this.#failure = thrown;
    }
  }

  #accept(frames: Frame[]): void {
    for (const frame of frames) {
      if (this.#ended) return;
      if (this.#committed && !this.#output.isOpen()) {
        this.#waiting.push(frame);
        continue;
      }
      const event = this.#texts?.forward(frame);
      if (event === undefined) this.#translate(frame);
      else {
        this.#output.forward(event);
        this.#deadlines.heard();
      }
      if (this.#translator.done()) this.#endOfBody();
    }
  }

  #translate(frame: Frame): void {
    const { native } = this.#attempt;
    const skipped = this.#translator.skipped();
    const chunks = this.#translator.frame(frame);
    const isReadable = this.#translator.skipped() === skipped;
    let event: ChunkEvent | VendorEvent | undefined = isReadable ? this.#output.pass(frame) : undefined;
    for (const chunk of chunks) event = this.#deliver(chunk) ?? event;
    if (isReadable && native?.begins(frame)) this.#hear();
    if (!this.#finishing && this.#translator.finished()) this.#awaitUsage();
    this.#texts?.learn({ frame, chunks }, event);
  }

  #endOfBody = (): void => {
    if (this.#ended) return;
    this.#accept(this.#decoder.end());
    // The decoder may have held back the vendor's last event.
    if (this.#ended) return;
    for (const chunk of this.#translator.end()) this.#deliver(chunk);
    if (this.#translator.usage() === undefined) this.#deliverEstimate();
    const { native } = this.#attempt;
    if (native?.ending !== undefined && !this.#translator.done()) this.#output.forward(native.ending);
    this.#ended = true;
  };

  #deliver(reported: ChatChunk): ChunkEvent | undefined {
    const chunk = reported.usage === undefined ? reported : this.#withSoundUsage(reported);
    this.#lastChunk = chunk;
    const hasContent = isContent(chunk);
    if (hasContent) this.#hear();
    return this.#output.add(chunk, hasContent);
  }

  #hear(): void {
    this.#committed = true;
    this.#deadlines.heard();
  }

  /** If the provider reported no usage, the stream ends with an estimate, for clients that asked for usage. */
  #deliverEstimate(): void {
    const last = this.#lastChunk;
    if (last === undefined) return;
    const { id, object, created, model } = last;
    this.#deliver({ id, object, created, model, choices: [], usage: this.#meter.estimate() });
  }

  /** Clients get the figures that are billed. */
  #withSoundUsage(chunk: ChatChunk): ChatChunk {
    return { ...chunk, usage: this.#meter.usage(chunk.usage, !this.#broke).usage };
  }

  #awaitUsage(): void {
    this.#finishing = true;
    this.#deadlines.allowSilence(finishGraceMs);
  }

  #empty(): GatewayError {
    const message = `${this.#attempt.provider.id} ended its stream without an answer.`;
    return new GatewayError('upstream_error', message, { domain: 'provider' });
  }

  #finish(): undefined {
    this.#attempt.call?.discardRest(releaseGraceMs);
    this.#settle(undefined);
  }

  #fail(thrown: unknown): GatewayError {
    const failure = failureOfAttempt(thrown, this.#attempt);
    stopAttempt(this.#attempt, new UpstreamFailure('left', 'failed'));
    this.#settle(failure);
    return failure.error;
  }

  #settle(failure: AttemptFailure | undefined): void {
    this.#deadlines.stop();
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    const usage = this.#meter.usage(this.#translator.usage(), this.#ended && !this.#broke);
    const skippedFrames = this.#translator.skipped();
    onEnd?.({ failure, ...usage, skippedFrames, images: this.#meter.images(), answer: this.#meter.answer() });
  }
}

const isClientGone = (failure: UpstreamFailure): boolean =>
  failure.kind === 'left' && !(failure.cause instanceof GatewayError && failure.cause.code !== 'client_closed_request');

/** Thinking that leads to tool calls is kept for the vendor, so those streams must be parsed. */
function isLaneOpen({ provider, chat, offer, context }: Attempt): boolean {
  const keeps = context.keepSignature !== undefined;
  const keepsThinking = keeps && provider.callSignatures?.fromThinking?.(chat, offer) === true;
  return provider.textDeltasAreIndependent && !keepsThinking;
}
