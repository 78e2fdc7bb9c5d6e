import { UpstreamFailure } from '@tallyport/outbound';
import { stopAttempt, type UpstreamTry } from './open-request.ts';
import { SilenceWatch } from './silence-watch.ts';
import type { Timeouts } from './timeouts.ts';

export type TimedTry = UpstreamTry & { equipment: { timeouts: Timeouts } };

interface StreamDeadlinesOptions {
  /** Whether we are waiting for the provider. */
  isWaiting(): boolean;
  /** What the provider sent none of when it falls silent, such as `content`. */
  missing: string;
}

/** Stops an attempt whose stream falls silent or takes too long. */
export class StreamDeadlines {
  readonly #silence: SilenceWatch;
  readonly #total: NodeJS.Timeout;

  constructor(attempt: TimedTry, { isWaiting, missing }: StreamDeadlinesOptions) {
    const { idleMs, totalStreamMs } = attempt.equipment.timeouts;
    this.#silence = new SilenceWatch({
      isWaiting,
      onSilence: () => stopAttempt(attempt, new UpstreamFailure('stalled', `sent ${missing} for too long`)),
    });
    this.#silence.allow(idleMs);
    this.#total = setTimeout(() => {
      stopAttempt(attempt, new UpstreamFailure('max_duration', `was still answering after ${totalStreamMs} ms`));
    }, totalStreamMs);
  }

  /** Sets how much silence is allowed from now on. */
  allowSilence(limitMs: number): void {
    this.#silence.allow(limitMs);
  }

  heard(): void {
    this.#silence.heard();
  }

  stop(): void {
    this.#silence.stop();
    clearTimeout(this.#total);
  }
}
