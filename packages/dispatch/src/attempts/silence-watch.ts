/** A stream is stalled after one tick more than this: never too early, and at most a quarter of the limit too late. */
const ticksOfSilence = 4;

interface SilenceWatchOptions {
  /** Whether we are waiting for the provider; a slow client is not the provider's silence. */
  isWaiting(): boolean;
  onSilence(): void;
}

/**
 * Counts ticks without content, which is cheaper than a new timer per chunk. Only ticks while waiting for the provider
 * count, and if our own process was suspended, that is one tick, not many.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #ticks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** Sets how much silence is allowed from now on; ticks counted so far remain. */
  allow(limitMs: number): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      this.#ticks = this.#options.isWaiting() ? this.#ticks + 1 : 0;
      if (this.#ticks > ticksOfSilence) this.#options.onSilence();
    }, limitMs / ticksOfSilence);
  }

  heard(): void {
    this.#ticks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
