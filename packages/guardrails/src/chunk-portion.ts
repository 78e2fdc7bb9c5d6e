import type { ChatChunk, ChunkChoice } from '@tallyport/wire';
import { withTexts } from './chunk-texts.ts';

/** Chunks of a stream that are held back until a decision about their texts. */
export class ChunkPortion {
  readonly #chunks: ChatChunk[] = [];
  /** By choice and text, joined. */
  readonly #texts = new Map<string, string>();
  #characters = 0;

  /** Of all its texts. */
  get characters(): number {
    return this.#characters;
  }

  add(chunk: ChatChunk): void {
    this.#chunks.push(chunk);
    for (const { index, delta } of chunk.choices) {
      withTexts(delta, ({ key }, piece) => {
        const name = nameOf(index, key);
        this.#texts.set(name, (this.#texts.get(name) ?? '') + piece);
        this.#characters += piece.length;
        return piece;
      });
    }
  }

  /** The texts that are not empty, by names that stay the same in later portions. */
  texts(): ReadonlyMap<string, string> {
    return new Map([...this.#texts].filter(([, text]) => text !== ''));
  }

  /** The chunks; a text in `replaced` is sent instead, where its first piece was. */
  chunks(replaced: ReadonlyMap<string, string>): ChatChunk[] {
    if (replaced.size === 0) return this.#chunks;
    const sent = new Set<string>();
    const replacing = ({ index, delta, ...choice }: ChunkChoice): ChunkChoice => ({
      ...choice,
      index,
      delta: withTexts(delta, ({ key }, piece) => {
        const name = nameOf(index, key);
        const text = replaced.get(name);
        if (text === undefined || piece === '') return piece;
        if (sent.has(name)) return '';
        sent.add(name);
        return text;
      }),
    });
    return this.#chunks.map((chunk) => ({ ...chunk, choices: chunk.choices.map(replacing) }));
  }
}

const nameOf = (choice: number, key: string): string => `${choice} ${key}`;
