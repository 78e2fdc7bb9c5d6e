import type { SpendResult, Store } from '@tallyport/store';
import { OwnCount, type OwnCountTools } from './own-count.ts';

interface TokenCounterTools extends OwnCountTools {
  store: Store;
}

/** The result of counting the tokens of one request. */
export interface SetAside {
  granted: boolean;
  left: number;
  comesBackMs: number;
  /** Decided by this replica alone, because the store is unavailable. */
  alone: boolean;
  /** Corrects the count by the difference between used and reserved tokens, which may be negative. */
  correct(more: number): void;
}

/** Counts the tokens of one limit over all replicas or, while the store is unavailable, by the local count. */
export class TokenCounter {
  readonly #name: string;
  readonly #tools: TokenCounterTools;
  readonly #own: OwnCount;
  #limit = 1;
  /** Used, but not yet reported to the store. */
  #debt = 0;

  constructor(name: string, tools: TokenCounterTools) {
    this.#name = name;
    this.#tools = tools;
    this.#own = new OwnCount(tools);
  }

  async setAside(limit: number, wanted: number): Promise<SetAside> {
    this.#limit = limit;
    const spent = await this.#ask(wanted);
    if (!spent) return this.#setAsideAlone(wanted);
    const { granted, used, comesBackMs, slot } = spent;
    const ownSlot = this.#own.add(granted);
    this.#own.know(used);
    return {
      granted: granted === wanted,
      left: Math.max(0, limit - used),
      comesBackMs,
      alone: false,
      correct: (more) => {
        if (more === 0) return;
        this.#own.add(more, ownSlot);
        void this.#correct(more, slot);
      },
    };
  }

  /** Reports to the store what it does not know, as soon as it is available. */
  async report(): Promise<void> {
    if (this.#debt > 0 && this.#tools.store.state().connected) await this.#ask(0);
  }

  async #ask(wanted: number): Promise<SpendResult | undefined> {
    const { store, windowMs } = this.#tools;
    // Usage older than the window no longer counts.
    const owed = this.#debt > 0 ? Math.min(this.#debt, this.#own.sum()) : 0;
    this.#debt = 0;
    const spent = await store.spend(this.#name, { limit: this.#limit, windowMs, wanted, owed });
    if (!spent) this.#owe(owed);
    return spent;
  }

  #setAsideAlone(wanted: number): SetAside {
    const { granted, used, comesBackMs, slot, limit } = this.#own.takeAlone(this.#limit, wanted);
    this.#owe(granted);
    return {
      granted: granted === wanted,
      left: Math.max(0, limit - used),
      comesBackMs,
      alone: true,
      correct: (more) => {
        this.#own.add(more, slot);
        this.#owe(more);
      },
    };
  }

  async #correct(more: number, slot: number): Promise<void> {
    const { store, windowMs } = this.#tools;
    const known = await store.spend(this.#name, { limit: this.#limit, windowMs, wanted: 0, owed: more, owedAt: slot });
    if (!known && more > 0) this.#owe(more);
  }

  /** An excess in the store leaves with the minute. */
  #owe(more: number): void {
    this.#debt = Math.max(0, this.#debt + more);
  }
}
