import type { IncomingExchangeStream } from './incoming-exchange.ts';

/** How long handlers have to end once their signal is aborted. */
const abortGraceMs = 10;

/** What one listener answers now, under all its operations. Other listeners of the same link are not affected by it. */
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

  /** Resolves when all have ended; those that have not by the deadline are ended with a typed error. */
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
