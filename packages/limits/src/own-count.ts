import { type SlidingWindow, type SpendResult, spendFrom } from '@tallyport/store';

export interface OwnCountTools {
  windowMs: number;
  /** The number of replicas that share the limit. */
  replicas(): number;
  now(): number;
}

/** The local count of a limit, on which a replica relies while the store is unavailable. */
export class OwnCount {
  readonly #tools: OwnCountTools;
  readonly #window: SlidingWindow = new Map();
  /** The count of all replicas in the store's last answer, and this replica's part of it. */
  #used = 0;
  #usedHere = 0;
  #knownAt = Number.NEGATIVE_INFINITY;

  constructor(tools: OwnCountTools) {
    this.#tools = tools;
  }

  /** Returns the slot of the window in which it was counted, for later corrections. */
  add(amount: number, owedAt?: number): number {
    return this.#spend({ limit: 0, wanted: 0, owed: amount, ...(owedAt !== undefined && { owedAt }) }).slot;
  }

  /** Records an answer of the store, whose grants are already counted here. */
  know(used: number): void {
    this.#used = used;
    this.#usedHere = this.sum();
    this.#knownAt = this.#tools.now();
  }

  sum(): number {
    return this.#spend({ limit: 0, wanted: 0 }).used;
  }

  /** Grants everything or nothing, within the part of the limit that this replica may use alone. */
  takeAlone(limit: number, wanted: number): SpendResult & { limit: number } {
    const part = this.#part(limit);
    return { ...this.#spend({ limit: part, wanted }), limit: part };
  }

  /**
   * The part of this replica: an equal part of the limit and, while the last answer is recent, at most what it had plus
   * an equal part of what was free. Replicas with a recent answer stay within the limit together, however uneven their
   * traffic.
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
