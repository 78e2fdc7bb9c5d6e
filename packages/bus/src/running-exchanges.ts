import type { IncomingExchangeStream } from './incoming-exchange.ts';

/** How long handlers have to finish after their signal has aborted. */
const abortGraceMs = 10;

/** The running exchanges of one listener, over all its operations. Other listeners of the same link have their own. */
export class RunningExchanges {
  #limit: number;
  #running = new Set<IncomingExchangeStream>();
  #onIdle = new Set<() => void>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#running.size;
  }

  get isFull(): boolean {
    return this.#running.size >= this.#limit;
  }

  add(exchange: IncomingExchangeStream): void {
    this.#running.add(exchange);
  }

  delete(exchange: IncomingExchangeStream): void {
    this.#running.delete(exchange);
    if (this.#running.size === 0) for (const notify of this.#onIdle) notify();
  }

  /** Resolves when all exchanges have ended. Those still running at the deadline are ended with a typed error. */
  async drain(deadlineMs: number, flush: () => void): Promise<void> {
    await this.#idleWithin(deadlineMs);
    if (this.#running.size === 0) return;
    for (const exchange of this.#running) exchange.shutDown();
    flush();
    await this.#idleWithin(abortGraceMs);
  }

  #idleWithin(ms: number): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
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
