import { inspect } from 'node:util';

/**
 * Text that must not be seen. A class for its private field: whatever prints, logs or serialises it shows nothing of it.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** For whom it was kept. What is done with it from here on is the caller's to answer for. */
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
