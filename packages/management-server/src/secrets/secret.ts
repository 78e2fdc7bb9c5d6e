import { inspect } from 'node:util';

/**
 * Text that must not be shown. A class, because its private field is hidden from printing, logging and serialisation.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the text. The caller is responsible for what happens to it. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}

const shown = '[secret]';
