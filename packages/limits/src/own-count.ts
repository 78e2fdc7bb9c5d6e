import { type SlidingWindow, type SpendResult, spendFrom } from '@switchyard/store';

export interface OwnCountTools {
  windowMs: number;
  /** How many replicas count together. */
  replicas(): number;
  now(): number;
}

/** What one replica counted itself of a limit: all that it has to go by when the store is away. */
export class OwnCount {
  readonly #tools: OwnCountTools;
  readonly #window: SlidingWindow = new Map();
  /** What all had counted, by the store's last answer, and what of it was counted here. */
  #used = 0;
  #usedHere = 0;
  #knownAt = Number.NEGATIVE_INFINITY;

  constructor(tools: OwnCountTools) {
    this.#tools = tools;
  }

  /** Says in which part of the window it was counted, for when it is corrected there. */
  add(amount: number, owedAt?: number): number {
    return this.#spend({ limit: 0, wanted: 0, owed: amount, ...(owedAt !== undefined && { owedAt }) }).slot;
  }

  /** The store has answered; what it granted with that is counted here already. */
  know(used: number): void {
    this.#used = used;
    this.#usedHere = this.sum();
    this.#knownAt = this.#tools.now();
  }

  sum(): number {
    return this.#spend({ limit: 0, wanted: 0 }).used;
  }

  /** All that is wanted or nothing, within what this replica may let in without the others. */
  takeAlone(limit: number, wanted: number): SpendResult & { limit: number } {
    const part = this.#part(limit);
    return { ...this.#spend({ limit: part, wanted }), limit: part };
  }

  /**
   * Its part of the limit, and no more than it had and its part of what was free, as long as that is news: replicas that
   * all know how it stands stay within the limit together, however unequally they were asked.
   */
  #part(limit: number): number {
    const { replicas, windowMs, now } = this.#tools;
    const count = Math.max(1, replicas());
    const part = Math.ceil(limit / count);
    if (now() - this.#knownAt >= windowMs) return part;
    return Math.min(part, this.#usedHere + Math.ceil(Math.max(0, limit - this.#used) / count));
  }

  #spend(rule: { limit: number; wanted: number; owed?: number; owedAt?: number }): SpendResult {
    const { windowMs, now } = this.#tools;
    return spendFrom(this.#window, { ...rule, windowMs }, now());
  }
}
