import type { SpendResult, Store } from '@tallyport/store';
import { fewestReplicas } from './replicas.ts';
import { OwnCount, type OwnCountTools } from './own-count.ts';

/** The state of one limit after a request. */
export interface LimitVerdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Time until a part of the limit is free again. */
  resetMs: number;
  /** Decided by this replica alone, because the store is unavailable. */
  alone: boolean;
}

export interface CounterTools extends OwnCountTools {
  store: Store;
  /** Calls `report` in a moment. */
  reportSoon(counter: RequestCounter): void;
}

/** Requests may be admitted without asking the store while its last answer is younger than this. */
const freshMs = 1_000;
/** Beyond this part of a limit, every request asks the store first. */
const aheadUntil = 0.9;
/** The largest part of a limit that all replicas together may admit before they report it to the store. */
const aheadPart = 1 / 100;

/** This replica's view of one limit. */
export class RequestCounter {
  readonly #name: string;
  readonly #tools: CounterTools;
  #limit = 0;
  /** The requests that this replica admitted, for when the store is unavailable. */
  readonly #own: OwnCount;
  /** The requests that all replicas admitted, from the store's last answer. */
  #used = 0;
  #knownAt = Number.NEGATIVE_INFINITY;
  #comesBackAt = 0;
  /** No request is admitted before this time. */
  #fullUntil = 0;
  /** Requests admitted since the last store call. */
  #unreported = 0;
  /**
   * Requests that the store has not confirmed: sent and unanswered, or admitted alone. Negative after refunds. If the
   * call fails, they are sent again with the next one.
   */
  #debt = 0;
  /** The time slot in which the store counted last; refunds name it. */
  #slot: number | undefined;
  #waiting: ((verdict: LimitVerdict) => void)[] = [];
  #asking = false;

  constructor(name: string, tools: CounterTools) {
    this.#name = name;
    this.#tools = tools;
    this.#own = new OwnCount(tools);
  }

  /** A changed limit invalidates what is known of the old one. */
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
      void this.report();
    });
  }

  giveBack(): void {
    this.#unreported -= 1;
    this.#tools.reportSoon(this);
  }

  /** One store call at a time. Requests that arrive meanwhile are part of the next one. */
  async report(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    do await this.#ask();
    while (this.#waiting.length > 0);
    this.#asking = false;
    if (this.#unknown() !== 0) this.#tools.reportSoon(this);
  }

  #mayGoAhead(): boolean {
    const fresh = this.#tools.now() - this.#knownAt < freshMs && this.#waiting.length === 0;
    const unknown = this.#unknown();
    return fresh && unknown < this.#ahead() && this.#used + unknown < this.#limit * aheadUntil;
  }

  /** Requests that were admitted but, as far as is known here, not counted by the store. */
  #unknown(): number {
    return this.#debt + this.#unreported;
  }

  #ahead(): number {
    return Math.floor((this.#limit * aheadPart) / Math.max(fewestReplicas, this.#tools.replicas()));
  }

  #letIn(): LimitVerdict {
    this.#unreported += 1;
    if (this.#unreported * 2 >= this.#ahead()) void this.report();
    else this.#tools.reportSoon(this);
    return this.#verdict(true);
  }

  async #ask(): Promise<void> {
    const { store, windowMs } = this.#tools;
    const waiting = this.#waiting.splice(0);
    // Requests older than the window no longer count.
    if (this.#debt > 0) this.#debt = Math.min(this.#debt, this.#own.sum());
    this.#count(this.#unreported);
    this.#debt += this.#unreported;
    this.#unreported = 0;
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

  /** Requests admitted alone are reported with the first store call that succeeds. */
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
