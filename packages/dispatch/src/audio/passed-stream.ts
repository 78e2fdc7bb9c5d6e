import { GatewayError } from '@tallyport/contracts';
import { createSseDecoder, type Frame, type FrameDecoder, frameText } from '@tallyport/wire';
import { type BodyReader, UpstreamFailure } from '@tallyport/outbound';
import { stopAttempt } from '../attempts/open-request.ts';
import type { OpenedResponse } from '../attempts/opened-response.ts';
import { StreamDeadlines, type TimedTry } from '../attempts/stream-deadlines.ts';
import type { AttemptFailure } from '../failure/attempt-failure.ts';
import { failureOfAttempt } from '../failure/own-key-failure.ts';

/** A provider's answer, from the moment the attempt is committed. */
export interface PassedBytes<Ending> {
  /** Called once with the outcome. The ending is absent if the vendor sent none. */
  onEnd(onEnd: (failure: AttemptFailure | undefined, ending: Ending | undefined) => void): void;
  /** The next bytes; `undefined` after a proper end. Throws GatewayError if the provider fails. */
  read(): Promise<Uint8Array | undefined>;
  /** Closes the upstream's socket at once. */
  cancel(failure: UpstreamFailure): void;
}

/** Reads an event: `undefined` unless it is the last one. */
type ReadEnding<Ending> = (event: unknown) => Ending | undefined;

/** The largest event. */
const maxFrameBytes = 8 * 1024 * 1024;

/** Bytes that are passed on as they arrive. None are kept; events are only read for the last one. */
export class PassedStream<Ending> implements PassedBytes<Ending> {
  readonly #attempt: TimedTry;
  readonly #readEnding: ReadEnding<Ending> | undefined;
  readonly #body: BodyReader;
  readonly #decoder: FrameDecoder | undefined;
  readonly #deadlines: StreamDeadlines;
  #waiting: Uint8Array[] = [];
  #reading = false;
  #ending: Ending | undefined;
  #onEnd: Parameters<PassedBytes<Ending>['onEnd']>[0] | undefined;

  /** With `readEnding`, the answer is events. */
  constructor(attempt: TimedTry, { body }: OpenedResponse, readEnding: ReadEnding<Ending> | undefined) {
    this.#attempt = attempt;
    this.#body = body;
    this.#readEnding = readEnding;
    this.#decoder = readEnding && createSseDecoder({ maxFrameBytes });
    this.#deadlines = new StreamDeadlines(attempt, { isWaiting: () => this.#reading, missing: 'nothing' });
  }

  /** Resolves with the first bytes, which commit the attempt. Throws any earlier failure. */
  async commit(): Promise<void> {
    try {
      const first = await this.#next();
      if (first === undefined) throw this.#fault('sent an empty answer');
      this.#waiting = [first];
    } catch (thrown) {
      this.#deadlines.stop();
      stopAttempt(this.#attempt, new UpstreamFailure('left', 'failed before its first bytes'));
      throw thrown;
    }
  }

  onEnd(onEnd: Parameters<PassedBytes<Ending>['onEnd']>[0]): void {
    this.#onEnd = onEnd;
  }

  async read(): Promise<Uint8Array | undefined> {
    try {
      const bytes = this.#waiting.shift() ?? (await this.#next());
      if (bytes === undefined) this.#settle(undefined);
      return bytes;
    } catch (thrown) {
      throw this.#fail(thrown);
    }
  }

  cancel(failure: UpstreamFailure): void {
    stopAttempt(this.#attempt, failure);
    this.#fail(failure);
  }

  async #next(): Promise<Uint8Array | undefined> {
    this.#reading = true;
    const more = await this.#body.ready();
    this.#reading = false;
    this.#deadlines.heard();
    if (!more) return this.#endOfBody();
    const bytes = Buffer.concat(this.#body.take());
    this.#observe(this.#decoder?.push(bytes));
    return bytes;
  }

  /** The end of a file is that of the body; events have a last one. */
  #endOfBody(): undefined {
    this.#observe(this.#decoder?.end());
    if (this.#decoder !== undefined && this.#ending === undefined) {
      throw new UpstreamFailure('cut', 'ended its events before the last one');
    }
  }

  #observe(frames: readonly Frame[] = []): void {
    for (const frame of frames) this.#ending = this.#readEnding?.(jsonIn(frame)) ?? this.#ending;
  }

  #fault(what: string): GatewayError {
    return new GatewayError('upstream_error', `${this.#attempt.provider.id} ${what}.`, { domain: 'provider' });
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
    onEnd?.(failure, this.#ending);
  }
}

function jsonIn(frame: Frame): unknown {
  try {
    return JSON.parse(frameText(frame));
  } catch {
    return undefined;
  }
}
