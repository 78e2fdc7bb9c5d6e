import type { Store } from '@tallyport/store';
import { rateLimited } from './refusal.ts';
import { type Replicas, replicaTtlMs } from './replicas.ts';
import type { RuleScope } from './rule-scope.ts';

/** Releases a running request. Call it once, at its end. */
export type Leave = () => void;

export interface ShareTools {
  store: Store;
  replicas: Pick<Replicas, 'self' | 'count'>;
  onDecision(allowed: boolean, alone: boolean): void;
  now(): number;
  /** Whether no request runs and no share is held. */
  onEmpty(holder: ShareHolder): void;
}

/** Whose requests are counted together. */
interface ShareHolder {
  scope: RuleScope;
  /** Its name in the store. */
  name: string;
}

/** After a refusal, further requests of the holder are refused locally for this long. */
const fullMs = 50;
const retryAfterMs = 1_000;
/** The part of the free capacity that a replica keeps, so that the next request is admitted locally. */
const sparePart = 1 / 16;

/** This replica's share of the concurrency limit of a key, a project or an account. */
export class HeldShare {
  readonly #holder: ShareHolder;
  readonly #tools: ShareTools;
  #limit = 0;
  #running = 0;
  /** The share of this replica in the store. */
  #held = 0;
  /** The free capacity according to the last answer of the store. */
  #free = 0;
  #fullUntil = 0;
  /** No request has arrived since the share was last renewed. */
  #idle = false;
  #waiting: ((allowed: boolean) => void)[] = [];
  #asking = false;

  constructor(holder: ShareHolder, tools: ShareTools) {
    this.#holder = holder;
    this.#tools = tools;
  }

  enter(limit: number): Leave | Promise<Leave> {
    this.#limit = limit;
    this.#idle = false;
    if (this.#running < Math.min(this.#held, limit)) return this.#admit(this.#mayRun(true));
    if (this.#tools.now() < this.#fullUntil) {
      this.#tools.onDecision(false, false);
      return this.#admit(false);
    }
    const asked = new Promise<boolean>((resolve) => this.#waiting.push(resolve));
    void this.balance();
    return asked.then((allowed) => this.#admit(allowed));
  }

  /** Adjusts the share to the running and waiting requests, with one store call at a time. */
  async balance(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    do await this.#ask();
    while (this.#waiting.length > 0 || this.#holdsTooMuch());
    this.#asking = false;
    if (this.#running === 0 && this.#held === 0) this.#tools.onEmpty(this.#holder);
  }

  /** Renews the share. Releases the spare part of it when no request has arrived since the last renewal. */
  beat(): void {
    void this.balance();
    this.#idle = true;
  }

  /** Releases the share, even if requests are still running. */
  giveUp(): Promise<void> {
    this.#running = 0;
    this.#idle = true;
    return this.balance();
  }

  async #ask(): Promise<void> {
    const { store, replicas } = this.#tools;
    const waiting = this.#waiting.splice(0);
    const wanted = this.#wanted(this.#running + waiting.length);
    // A part that is being released must not be used here, even if the release fails.
    this.#held = Math.min(this.#held, wanted);
    const shared = await store.share(this.#holder.name, {
      holder: replicas.self,
      needed: this.#running,
      wanted,
      limit: this.#limit,
      ttlMs: replicaTtlMs,
    });
    if (shared) {
      this.#held = shared.held;
      this.#free = Math.max(0, this.#limit - shared.held - shared.others);
    }
    for (const answer of waiting) answer(this.#mayRun(shared !== undefined));
  }

  #mayRun(known: boolean): boolean {
    const { replicas, onDecision, now } = this.#tools;
    const room = known ? Math.min(this.#held, this.#limit) : Math.ceil(this.#limit / Math.max(1, replicas.count()));
    const allowed = this.#running < room;
    if (allowed) this.#running += 1;
    else this.#fullUntil = now() + fullMs;
    onDecision(allowed, !known);
    return allowed;
  }

  #admit(allowed: boolean): Leave {
    if (allowed) return () => this.#leave();
    throw rateLimited(
      `This ${this.#holder.scope}'s limit of ${this.#limit} requests at once is reached.`,
      retryAfterMs,
    );
  }

  #leave(): void {
    this.#running = Math.max(0, this.#running - 1);
    this.#fullUntil = 0;
    if (this.#holdsTooMuch()) void this.balance();
  }

  #wanted(inUse: number): number {
    if (inUse > 0) return inUse + this.#spare();
    return this.#idle ? 0 : Math.min(this.#held, this.#spare());
  }

  #spare(): number {
    return Math.floor(this.#free * sparePart);
  }

  #holdsTooMuch(): boolean {
    return this.#held > this.#running + this.#spare() && this.#tools.store.state().connected;
  }
}
