import type { GatewayError } from '@tallyport/contracts';
import { type AnswerEvent, eventSlices, joinPieces } from '@tallyport/wire';
import type { Entry } from './entry.ts';
import { EventLog } from './event-log.ts';

/** How an answer in progress ended, for all requests that wait for it. */
export type FlightResult =
  | { kind: 'answer'; entry: Entry }
  /** The error applies to every request. */
  | { kind: 'failed'; error: GatewayError }
  /** The result cannot be shared: each request calls providers itself. */
  | { kind: 'alone' };

/** An answer in progress that several requests share. It continues while at least one of them waits. */
export class Flight {
  /** The events so far, of a stream only. */
  readonly log = new EventLog();
  readonly #landed = Promise.withResolvers<FlightResult>();
  readonly #wanted = new AbortController();
  #result: FlightResult | undefined;
  #provider: string | undefined;
  #followers = 0;
  #leaderLeft = false;
  #wake: (() => void)[] = [];

  /** Aborts once no request waits. */
  get signal(): AbortSignal {
    return this.#wanted.signal;
  }

  /** Set once the flight has landed. */
  get result(): FlightResult | undefined {
    return this.#result;
  }

  /** Set once events are logged. */
  get provider(): string | undefined {
    return this.#provider;
  }

  get followed(): boolean {
    return this.#followers > 0;
  }

  landed(): Promise<FlightResult> {
    return this.#landed.promise;
  }

  /** Starts waiting; returns the function that ends it. */
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

  push(events: readonly AnswerEvent[]): void {
    for (const event of events) this.log.push(joinPieces(eventSlices(event)));
    this.#wakeAll();
  }

  land(result: FlightResult): void {
    if (this.#result !== undefined) return;
    this.#result = result;
    this.#landed.resolve(result);
    this.#wakeAll();
  }

  /** Resolves at the next events, the start of a stream, or the result. */
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
