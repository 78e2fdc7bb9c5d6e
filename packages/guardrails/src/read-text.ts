/** How many characters are read between two looks at the clock: a few milliseconds of the slowest pattern. */
const readsPerLook = 512;

/** Whether a search has to end now. */
export type IsOver = () => boolean;

export class SearchTimeout extends Error {}

/**
 * A text that counts its characters that were read, because only so is it known how much work a search was. Reading it
 * throws `SearchTimeout` once `isOver` says so.
 */
export class ReadText extends String {
  /** Three times as fast to read as the object. */
  readonly #text: string;
  readonly #isOver: IsOver;
  #reads = 0;

  constructor(text: string, isOver: IsOver) {
    super(text);
    this.#text = text;
    this.#isOver = isOver;
  }

  get reads(): number {
    return this.#reads;
  }

  override charCodeAt(at: number): number {
    if (this.#reads % readsPerLook === 0 && this.#isOver()) throw new SearchTimeout();
    this.#reads += 1;
    return this.#text.charCodeAt(at);
  }
}
