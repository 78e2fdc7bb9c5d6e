/** How long handlers have to finish after their signal has aborted. */
const abortGraceMs = 10;

/** Counts the running exchanges of one listener, over all its operations. Other listeners of the link have their own. */
export class RunningExchanges {
  #limit: number;
  #count = 0;
  #onIdle = new Set<() => void>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.#limit;
  }

  begun(): void {
    this.#count += 1;
  }

  ended(): void {
    this.#count -= 1;
    if (this.#count === 0) for (const notify of this.#onIdle) notify();
  }

  /** Resolves when all exchanges have ended. At the deadline, `shutDown` is called to end those still running. */
  async drain(deadlineMs: number, shutDown: () => void): Promise<void> {
    await this.#idleWithin(deadlineMs);
    if (this.#count === 0) return;
    shutDown();
    await this.#idleWithin(abortGraceMs);
  }

  #idleWithin(ms: number): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#onIdle.delete(settle);
        resolve();
      };
      const timer = setTimeout(settle, ms);
      this.#onIdle.add(settle);
    });
  }
}
