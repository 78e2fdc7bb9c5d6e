import type { GatewayError } from '@switchyard/contracts';
import type { Entry } from './entry.ts';
import { EventLog } from './event-log.ts';

/** How an answer in progress ended, for all requests that wait for it. */
export type FlightResult =
  | { kind: 'answer'; entry: Entry }
  /** The error is the same for every request. */
  | { kind: 'failed'; error: GatewayError }
  /** The result is of no use to the others: each calls providers itself. */
  | { kind: 'alone' };

/** An answer in progress that several requests share. It continues while at least one of them waits. */
export class Flight {
  /** Only of a stream: its events so far. */
  readonly log = new EventLog();
  readonly #landed = Promise.withResolvers<FlightResult>();
  readonly #wanted = new AbortController();
  #result: FlightResult | undefined;
  #provider: string | undefined;
  #followers = 0;
  #leaderLeft = false;
  #wake: (() => void)[] = [];

  /** Aborts when no request waits any more. */
  get signal(): AbortSignal {
    return this.#wanted.signal;
  }

  /** Set once it has landed. */
  get result(): FlightResult | undefined {
    return this.#result;
  }

  /** Set once its events are being logged. */
  get provider(): string | undefined {
    return this.#provider;
  }

  get followed(): boolean {
    return this.#followers > 0;
  }

  landed(): Promise<FlightResult> {
    return this.#landed.promise;
  }

  /** Returns the function that ends the wait. */
  follow(): () => void {
    this.#followers += 1;
    let here = true;
    return () => {
      if (!here) return;
      here = false;
      this.#followers -= 1;
      this.#endUnlessWanted(undefined);
    };
  }

  leaderLeaves(reason: unknown): void {
    this.#leaderLeft = true;
    this.#endUnlessWanted(reason);
  }

  beginStream(provider: string): void {
    this.#provider = provider;
    this.#wakeAll();
  }

  push(events: Uint8Array): void {
    this.log.push(events);
    this.#wakeAll();
  }

  land(result: FlightResult): void {
    if (this.#result !== undefined) return;
    this.#result = result;
    this.#landed.resolve(result);
    this.#wakeAll();
  }

  /** Resolves with the next events, the start of a stream, or the result. */
  progress(): Promise<void> {
    return this.#result ? Promise.resolve() : new Promise((resolve) => this.#wake.push(resolve));
  }

  #endUnlessWanted(reason: unknown): void {
    if (this.#leaderLeft && this.#followers === 0) this.#wanted.abort(reason);
  }

  #wakeAll(): void {
    if (this.#wake.length === 0) return;
    for (const wake of this.#wake.splice(0)) wake();
  }
}
