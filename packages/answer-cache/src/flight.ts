import type { GatewayError } from '@switchyard/contracts';
import type { Entry } from './entry.ts';
import { EventLog } from './event-log.ts';

/** How the making of an answer came out, for all who waited for it. */
export type Landing =
  | { kind: 'answer'; entry: Entry }
  /** It would be the same for anybody. */
  | { kind: 'failed'; error: GatewayError }
  /** Says nothing about the others: each asks for itself. */
  | { kind: 'alone' };

/** An answer in the making that others wait for too. Whoever leaves, it goes on for those who stay. */
export class Flight {
  /** Only of a stream: what has come so far. */
  readonly log = new EventLog();
  readonly #landed = Promise.withResolvers<Landing>();
  readonly #wanted = new AbortController();
  #landing: Landing | undefined;
  #provider: string | undefined;
  #followers = 0;
  #leaderLeft = false;
  #wake: (() => void)[] = [];

  /** Aborts when nobody wants it any more. */
  get signal(): AbortSignal {
    return this.#wanted.signal;
  }

  /** Set once it has landed. */
  get landing(): Landing | undefined {
    return this.#landing;
  }

  /** Set once its events are being logged. */
  get provider(): string | undefined {
    return this.#provider;
  }

  get followed(): boolean {
    return this.#followers > 0;
  }

  landed(): Promise<Landing> {
    return this.#landed.promise;
  }

  /** Call the answer to leave again. */
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
    this.#tell();
  }

  push(events: Uint8Array): void {
    this.log.push(events);
    this.#tell();
  }

  land(landing: Landing): void {
    if (this.#landing !== undefined) return;
    this.#landing = landing;
    this.#landed.resolve(landing);
    this.#tell();
  }

  /** Resolves when there is more than there was. */
  progress(): Promise<void> {
    return this.#landing ? Promise.resolve() : new Promise((resolve) => this.#wake.push(resolve));
  }

  #endUnlessWanted(reason: unknown): void {
    if (this.#leaderLeft && this.#followers === 0) this.#wanted.abort(reason);
  }

  #tell(): void {
    if (this.#wake.length === 0) return;
    for (const wake of this.#wake.splice(0)) wake();
  }
}
