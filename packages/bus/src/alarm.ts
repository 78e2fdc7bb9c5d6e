/** What an alarm wakes. Times are those of `performance.now`. */
export interface Sleeper {
  /** When it wants to be woken. */
  readonly wakeAt: number;
  /** Does what is due, after which `wakeAt` is later. */
  wake(now: number): void;
}

/** The longest timer of Node. */
const maxTimerMs = 2 ** 31 - 1;
/** Each ring looks at all sleepers, so they are at least this far apart. */
const minGapMs = 10;

/**
 * Wakes exchanges at their times, up to 10 ms late. One timer serves all of them, because nearly all end before their
 * time: a timer per exchange cost more than anything else about its deadline.
 */
export class Alarm {
  readonly #sleepers: ReadonlyMap<string, Sleeper>;
  #timer: NodeJS.Timeout | undefined;
  #ringsAt = Infinity;

  constructor(sleepers: ReadonlyMap<string, Sleeper>) {
    this.#sleepers = sleepers;
  }

  /** Call with the time of a new sleeper. */
  set(wakeAt: number): void {
    if (wakeAt >= this.#ringsAt) return;
    this.#ringsAt = wakeAt;
    clearTimeout(this.#timer);
    const waitMs = Math.min(Math.max(wakeAt - performance.now(), 0), maxTimerMs);
    this.#timer = setTimeout(() => this.#ring(), waitMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #ring(): void {
    this.#ringsAt = Infinity;
    const now = performance.now();
    let next = Infinity;
    for (const sleeper of this.#sleepers.values()) {
      if (sleeper.wakeAt <= now) sleeper.wake(now);
      next = Math.min(next, sleeper.wakeAt);
    }
    if (next < Infinity) this.set(Math.max(next, now + minGapMs));
  }
}
