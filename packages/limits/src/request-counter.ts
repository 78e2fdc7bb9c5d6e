import type { SpendResult, Store } from '@switchyard/store';
import { OwnCount, type OwnCountTools } from './own-count.ts';

/** How a request stands to one limit. */
export interface LimitVerdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until some of it comes back. */
  resetMs: number;
  /** Decided by this replica alone, because the store is away. */
  alone: boolean;
}

export interface CounterTools extends OwnCountTools {
  store: Store;
  /** Calls `tell` in a moment. */
  tellSoon(counter: RequestCounter): void;
}

/** How old an answer of the store may be for requests to be let in behind it. */
const freshMs = 1_000;
/** Beyond this part of a limit every request asks first. */
const aheadUntil = 0.9;
/** So much of a limit, and no more, all replicas together let in that the store does not know of. */
const aheadPart = 1 / 100;
/** A replica that has not heard of the others yet takes no more than this part of that. */
const fewestReplicas = 3;

/** One limit's requests, as this replica knows them. */
export class RequestCounter {
  readonly #name: string;
  readonly #tools: CounterTools;
  #limit = 0;
  /** What this replica let in, for when the store is away. */
  readonly #own: OwnCount;
  /** What all let in, by the store's last answer. */
  #used = 0;
  #knownAt = Number.NEGATIVE_INFINITY;
  #comesBackAt = 0;
  /** Nobody gets in before. */
  #fullUntil = 0;
  /** Let in since the last question. */
  #untold = 0;
  /** Told without an answer yet; without any it goes with the next question. */
  #debt = 0;
  /** Where the store counted last: what is given back is given back there. */
  #slot: number | undefined;
  #waiting: ((verdict: LimitVerdict) => void)[] = [];
  #asking = false;

  constructor(name: string, tools: CounterTools) {
    this.#name = name;
    this.#tools = tools;
    this.#own = new OwnCount(tools);
  }

  /** Another limit than before makes what is known of the old one worthless. */
  setLimit(limit: number): this {
    if (limit === this.#limit) return this;
    this.#limit = limit;
    this.#knownAt = Number.NEGATIVE_INFINITY;
    this.#fullUntil = 0;
    return this;
  }

  refusal(): LimitVerdict | undefined {
    return this.#tools.now() < this.#fullUntil ? this.#verdict(false) : undefined;
  }

  take(): LimitVerdict | Promise<LimitVerdict> {
    const refused = this.refusal();
    if (refused) return refused;
    if (this.#mayGoAhead()) return this.#letIn();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      void this.tell();
    });
  }

  giveBack(): void {
    this.#untold -= 1;
    this.#tools.tellSoon(this);
  }

  /** One question at a time: what gathers meanwhile goes with the next. */
  async tell(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    do await this.#ask();
    while (this.#waiting.length > 0);
    this.#asking = false;
    if (this.#unknown() !== 0) this.#tools.tellSoon(this);
  }

  #mayGoAhead(): boolean {
    const fresh = this.#tools.now() - this.#knownAt < freshMs && this.#waiting.length === 0;
    const unknown = this.#unknown();
    return fresh && unknown < this.#ahead() && this.#used + unknown < this.#limit * aheadUntil;
  }

  /** Let in, and for all that is known here not counted by the store. */
  #unknown(): number {
    return this.#debt + this.#untold;
  }

  #ahead(): number {
    return Math.floor((this.#limit * aheadPart) / Math.max(fewestReplicas, this.#tools.replicas()));
  }

  #letIn(): LimitVerdict {
    this.#untold += 1;
    if (this.#untold * 2 >= this.#ahead()) void this.tell();
    else this.#tools.tellSoon(this);
    return this.#verdict(true);
  }

  async #ask(): Promise<void> {
    const { store, windowMs } = this.#tools;
    const waiting = this.#waiting.splice(0);
    // What is older than a window is nobody's business any more.
    if (this.#debt > 0) this.#debt = Math.min(this.#debt, this.#own.sum());
    this.#count(this.#untold);
    this.#debt += this.#untold;
    this.#untold = 0;
    const owed = this.#debt;
    const back = owed < 0 && this.#slot !== undefined && { owedAt: this.#slot };
    const rule = { limit: this.#limit, windowMs, owed, ...back, wanted: waiting.length, least: 1 };
    const spent = await store.spend(this.#name, rule);
    if (!spent) return this.#decideAlone(waiting);
    this.#debt -= owed;
    this.#settle(spent, waiting);
  }

  #settle(
    { granted, used, comesBackMs, slot }: SpendResult,
    waiting: readonly ((verdict: LimitVerdict) => void)[],
  ): void {
    const now = this.#tools.now();
    this.#used = used;
    this.#slot = slot;
    this.#knownAt = now;
    this.#comesBackAt = now + comesBackMs;
    if (granted < waiting.length) this.#fullUntil = this.#comesBackAt;
    this.#count(granted);
    this.#own.know(used);
    for (const [index, answer] of waiting.entries()) answer(this.#verdict(index < granted));
  }

  /** What is let in alone is told with the first question that is answered. */
  #decideAlone(waiting: readonly ((verdict: LimitVerdict) => void)[]): void {
    for (const answer of waiting) {
      const { granted, used, comesBackMs, limit } = this.#own.takeAlone(this.#limit, 1);
      this.#debt += granted;
      const remaining = Math.max(0, limit - used);
      answer({ allowed: granted === 1, limit: this.#limit, remaining, resetMs: comesBackMs, alone: true });
    }
  }

  #count(amount: number): void {
    if (amount > 0) this.#own.add(amount);
  }

  #verdict(allowed: boolean): LimitVerdict {
    const remaining = Math.max(0, this.#limit - this.#used - this.#unknown());
    const resetMs = Math.max(0, (allowed ? this.#comesBackAt : this.#fullUntil) - this.#tools.now());
    return { allowed, limit: this.#limit, remaining, resetMs, alone: false };
  }
}
