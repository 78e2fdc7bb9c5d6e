import { WireError } from '../wire-error.ts';
import { totalBytes } from '../pieces.ts';

/** A list of numbers without its brackets, or a long string without its quotes, as the bytes that were received. */
export interface KeptVector {
  readonly kind: 'numbers' | 'text';
  readonly slices: readonly Buffer[];
}

export interface DocumentWithVectors {
  /** The document, with the index of a vector in place of each list of numbers and each long string. */
  readonly value: unknown;
  readonly vectors: readonly KeptVector[];
}

/** Shorter strings are names and messages, and vectors of a few numbers. */
const longTextBytes = 256;
/** Everything besides vectors: 2,048 entries have about 200 kB. */
const mostRestBytes = 4 * 1024 * 1024;

const [quote, backslash, open, close] = [0x22, 0x5c, 0x5b, 0x5d];
const whitespace = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** 1: part of a list of numbers. Indexed by byte. */
const numeric = new Uint8Array(256);
for (const byte of Buffer.from('0123456789+-.eE, \t\r\n')) numeric[byte] = 1;
/** 1: the start of a number. */
const digits = new Uint8Array(256);
for (const byte of Buffer.from('-0123456789')) digits[byte] = 1;

type State = 'rest' | 'opened' | 'numbers' | 'text' | 'escape';

/** Reads JSON that consists mostly of vectors, piece by piece, without parsing their numbers. */
export class VectorReader {
  readonly #rest: Buffer[] = [];
  readonly #vectors: KeptVector[] = [];
  #restBytes = 0;
  #state: State = 'rest';
  /** What was read of the string or list so far. */
  #inside: Buffer[] = [];
  #escaped = false;

  /** Throws WireError for a list of numbers that has anything else, and for a rest that is too large. */
  push(piece: Buffer): void {
    for (let at = 0; at < piece.length;) at = this.#step(piece, at);
  }

  /** Throws WireError if what is left is not JSON. */
  end(): DocumentWithVectors {
    if (this.#state !== 'rest') throw corrupt('The document ends inside a vector or a string.');
    return { value: parsed(Buffer.concat(this.#rest).toString()), vectors: this.#vectors };
  }

  /** Reads from `from` in the current state; returns where the next state begins. */
  #step(piece: Buffer, from: number): number {
    switch (this.#state) {
      case 'rest':
        return this.#readRest(piece, from);
      case 'opened':
        return this.#readOpened(piece, from);
      case 'numbers':
        return this.#readNumbers(piece, from);
      case 'text':
        return this.#readText(piece, from);
      case 'escape':
        this.#inside.push(piece.subarray(from, from + 1));
        this.#state = 'text';
        return from + 1;
      default:
        return this.#state satisfies never;
    }
  }

  #readRest(piece: Buffer, from: number): number {
    let at = from;
    while (at < piece.length && piece[at] !== quote && piece[at] !== open) at += 1;
    this.#keepRest(piece.subarray(from, at));
    if (at === piece.length) return at;
    this.#escaped = false;
    this.#state = piece[at] === quote ? 'text' : 'opened';
    return at + 1;
  }

  #readOpened(piece: Buffer, from: number): number {
    const byte = piece[from] ?? 0;
    if (whitespace.has(byte)) return from + 1;
    this.#state = digits[byte] === 1 ? 'numbers' : 'rest';
    if (this.#state === 'rest') this.#keepRest(bracket);
    return from;
  }

  #readNumbers(piece: Buffer, from: number): number {
    let at = from;
    while (at < piece.length && numeric[piece[at] ?? 0] === 1) at += 1;
    this.#inside.push(piece.subarray(from, at));
    if (at === piece.length) return at;
    if (piece[at] !== close) throw corrupt('A vector contains something other than numbers.');
    this.#keepVector('numbers');
    return at + 1;
  }

  #readText(piece: Buffer, from: number): number {
    const end = piece.indexOf(quote, from);
    const stop = end < 0 ? piece.length : end;
    const slash = piece.subarray(from, stop).indexOf(backslash);
    if (slash >= 0) {
      this.#inside.push(piece.subarray(from, from + slash + 1));
      this.#escaped = true;
      this.#state = 'escape';
      return from + slash + 1;
    }
    this.#inside.push(piece.subarray(from, stop));
    if (end < 0) return stop;
    this.#endText();
    return end + 1;
  }

  #endText(): void {
    const length = totalBytes(this.#inside);
    if (length >= longTextBytes && !this.#escaped) return this.#keepVector('text');
    for (const part of [quoteMark, ...this.#inside, quoteMark]) this.#keepRest(part);
    this.#inside = [];
    this.#state = 'rest';
  }

  #keepVector(kind: KeptVector['kind']): void {
    this.#keepRest(Buffer.from(String(this.#vectors.length)));
    this.#vectors.push({ kind, slices: this.#inside });
    this.#inside = [];
    this.#state = 'rest';
  }

  #keepRest(bytes: Buffer): void {
    this.#restBytes += bytes.length;
    if (this.#restBytes > mostRestBytes) {
      throw new WireError('frame_too_large', 'The document has too much besides vectors.');
    }
    if (bytes.length > 0) this.#rest.push(bytes);
  }
}

const quoteMark = Buffer.from('"');
const bracket = Buffer.from('[');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw corrupt('The document is not JSON.');
  }
}

const corrupt = (message: string): WireError => new WireError('frame_corrupt', message);
