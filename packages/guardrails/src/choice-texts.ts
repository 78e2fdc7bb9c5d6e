import type { ChunkChoice } from '@tallyport/wire';
import type { GrowingText } from './chunk-texts.ts';
import type { WrittenText } from './json-text.ts';

interface OpenText {
  of: GrowingText;
  held: WrittenText;
}

/** The texts of one streamed choice, each held back by itself. */
export class ChoiceTexts {
  readonly #index: number;
  readonly #hold: (of: GrowingText) => WrittenText;
  readonly #open = new Map<string, OpenText>();
  /** Another text followed, and they may go on. Arguments of a tool do not. */
  readonly #interrupted = new Map<string, WrittenText>();

  constructor(index: number, hold: (of: GrowingText) => WrittenText) {
    this.#index = index;
    this.#hold = hold;
  }

  /** Returns what to send for a piece. Throws `guardrail_blocked`. */
  push(of: GrowingText, piece: string): string {
    const text = this.#open.get(of.key) ?? { of, held: this.#interrupted.get(of.key) ?? this.#hold(of) };
    if (of.isLast !== true) {
      this.#open.set(of.key, text);
      return text.held.push(piece);
    }
    this.#open.delete(of.key);
    return text.held.push(piece) + text.held.end();
  }

  /** Returns what is left of the texts, except of those in `still`. Throws like `push`. */
  end(still: ReadonlySet<string> = new Set()): ChunkChoice[] {
    return [...this.#open.values()].flatMap(({ of, held }) => {
      if (still.has(of.key)) return [];
      this.#open.delete(of.key);
      if (of.isJson !== true) this.#interrupted.set(of.key, held);
      const rest = held.end();
      return rest === '' ? [] : [{ index: this.#index, delta: of.delta(rest), finish_reason: null }];
    });
  }
}
