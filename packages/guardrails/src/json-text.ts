import { escapeLength } from './json-escapes.ts';
import { beginsBareValue, isBareValue, isJsonNumber, plainNumber } from './json-number.ts';

/** One of the texts in JSON, which arrives in pieces. Both functions return what to write instead. */
export interface WrittenText {
  push(piece: string): string;
  end(): string;
}

interface JsonTextOptions {
  /** Of a number and the space after it, not more is held back. */
  holdBack: number;
  /** Opens a string, which is given without quotes and with whole escapes, or a text that is no JSON. */
  open(kind: 'plain' | 'string'): WrittenText;
  /** Redacts the digits of a number. */
  number(digits: string): string;
}

interface Step {
  output: string;
  /** Where the next step begins. */
  next: number;
}

const marks = codesOf('"{}[],:');
const marksInString = codesOf('"\\');

/**
 * Replaces the texts in JSON that arrives in pieces: every string, names too, and every number, each by itself. Nothing
 * is parsed, so that all of it is inspected and the rest stays as it is: members with the same name, long numbers. What
 * is no JSON from its beginning is one plain text; after a later mistake, what is between strings is plain text.
 */
export class JsonText implements WrittenText {
  readonly #options: JsonTextOptions;
  #open: { kind: 'plain' | 'string'; text: WrittenText } | undefined;
  /** The beginning of an escape. */
  #escape = '';
  /** What was read since the last mark, and may be a number. */
  #word = '';
  #last: 'mark' | 'nothing' | 'string' = 'nothing';
  #json: 'broken' | 'no' | 'yes' = 'yes';

  constructor(options: JsonTextOptions) {
    this.#options = options;
  }

  push(piece: string): string {
    const text = this.#escape + piece;
    this.#escape = '';
    let output = '';
    let at = 0;
    while (at < text.length) {
      const step = this.#read(text, at);
      output += step.output;
      at = step.next;
    }
    return output;
  }

  end(): string {
    const word = this.#word;
    const value = word.trim();
    this.#word = '';
    if (value === '' || isBareValue(value)) return this.#withNumber(word, value) + this.#close(this.#escape);
    this.#openText('plain');
    return this.#close(word);
  }

  #read(text: string, from: number): Step {
    if (this.#open?.kind === 'string') return this.#readString(text, from, this.#open.text);
    return this.#json === 'yes' ? this.#readBetween(text, from) : this.#readPlain(text, from);
  }

  #readString(text: string, from: number, string: WrittenText): Step {
    let at = nextOf(marksInString, text, from);
    while (text[at] === '\\') {
      const length = escapeLength(text, at);
      if (length === undefined) {
        this.#escape = text.slice(at);
        return { output: string.push(text.slice(from, at)), next: text.length };
      }
      at = nextOf(marksInString, text, at + length);
    }
    const output = string.push(text.slice(from, at));
    if (at === text.length) return { output, next: at };
    this.#last = 'string';
    return { output: `${output}${this.#close()}"`, next: at + 1 };
  }

  #readBetween(text: string, from: number): Step {
    const at = nextOf(marks, text, from);
    this.#word += text.slice(from, at);
    if (at === text.length) return { output: this.#readWord(), next: at };
    const word = this.#word;
    const mark = text.charAt(at);
    const value = word.trim();
    if (!this.#mayFollow(mark, value)) return { output: this.#readMistake(), next: at };
    this.#word = '';
    this.#last = 'mark';
    if (mark === '"') this.#openText('string');
    return { output: this.#withNumber(word, value) + mark, next: at + 1 };
  }

  #mayFollow(mark: string, value: string): boolean {
    if (value !== '') return isBareValue(value) && (mark === ',' || mark === ']' || mark === '}');
    return mark !== ':' || this.#last === 'string';
  }

  /** Reads a word that may go on. */
  #readWord(): string {
    const value = this.#word.trim();
    if (value !== '' && !beginsBareValue(value)) return this.#readMistake();
    const word = this.#word.trimStart();
    const space = this.#word.slice(0, this.#word.length - word.length);
    this.#word = word;
    if (word.length <= this.#options.holdBack) return space;
    if (word === value || !isBareValue(value)) return space + this.#readMistake();
    this.#word = '';
    return space + this.#withNumber(word, value);
  }

  /** The word is the beginning of plain text. */
  #readMistake(): string {
    const word = this.#word;
    this.#word = '';
    this.#json = this.#last === 'nothing' ? 'no' : 'broken';
    return this.#openText('plain').text.push(word);
  }

  #readPlain(text: string, from: number): Step {
    const { text: plain } = this.#open ?? this.#openText('plain');
    const quote = this.#json === 'no' ? -1 : text.indexOf('"', from);
    if (quote === -1) return { output: plain.push(text.slice(from)), next: text.length };
    const output = plain.push(text.slice(from, quote)) + this.#close();
    this.#openText('string');
    return { output: `${output}"`, next: quote + 1 };
  }

  #openText(kind: 'plain' | 'string') {
    this.#open = { kind, text: this.#options.open(kind) };
    return this.#open;
  }

  #close(last = ''): string {
    const { text } = this.#open ?? {};
    this.#open = undefined;
    return text === undefined ? '' : text.push(last) + text.end();
  }

  /** A redacted number becomes a string, so that the JSON remains valid. */
  #withNumber(word: string, value: string): string {
    if (value === '' || !isJsonNumber(value)) return word;
    const digits = plainNumber(value);
    const redacted = this.#options.number(digits);
    return redacted === digits ? word : word.replace(value, () => JSON.stringify(redacted));
  }
}

/** 1 at the code of each character. */
function codesOf(characters: string): Uint8Array {
  const codes = new Uint8Array(128);
  for (const character of characters) codes[character.charCodeAt(0)] = 1;
  return codes;
}

/** Where the next of some characters is; the end without any. */
function nextOf(codes: Uint8Array, text: string, from: number): number {
  let at = from;
  while (at < text.length && codes[text.charCodeAt(at)] !== 1) at += 1;
  return at;
}
