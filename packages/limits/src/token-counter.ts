import type { SpendResult, Store } from '@switchyard/store';
import { OwnCount, type OwnCountTools } from './own-count.ts';

export interface TokenCounterTools extends OwnCountTools {
  store: Store;
}

/** Tokens of one request that a limit counts, or would not. */
export interface SetAside {
  granted: boolean;
  left: number;
  comesBackMs: number;
  /** Decided by this replica alone, because the store is away. */
  alone: boolean;
  /** So many more were used than were set aside, or fewer. */
  correct(more: number): void;
}

/** One limit's tokens, over all replicas and, while the store is away, by what this one knows. */
export class TokenCounter {
  readonly #name: string;
  readonly #tools: TokenCounterTools;
  readonly #own: OwnCount;
  #limit = 1;
  /** Used without the store's knowing. */
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

  /** The store hears what it does not know, as soon as it can be asked. */
  async tell(): Promise<void> {
    if (this.#debt > 0 && this.#tools.store.state().connected) await this.#ask(0);
  }

  async #ask(wanted: number): Promise<SpendResult | undefined> {
    const { store, windowMs } = this.#tools;
    // What is older than a window is nobody's business any more.
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

  /** What the store was told too much leaves with the minute. */
  #owe(more: number): void {
    this.#debt = Math.max(0, this.#debt + more);
  }
}
