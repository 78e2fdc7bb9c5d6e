import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LongStrings, textWithLongStrings, totalBytes } from '@tallyport/wire';

/** Base64 text in consecutive slices. */
export type Base64Slices = readonly Buffer[];

/** Yields to the event loop after this many bytes, so that a large image does not block other requests. */
const stepBytes = 768 * 1024;

/** The base64 text of an image, inline or behind a placeholder, without the prefix of a data URL. */
export function base64SlicesOf(text: string, strings: LongStrings): Base64Slices {
  const slices = textWithLongStrings(text, strings).filter(({ length }) => length > 0);
  const comma = /^data:[^,]{0,200},/i.exec(beginningOf(slices, 256))?.[0].length ?? 0;
  const own = skipped(slices, comma);
  // Strings that were parsed may contain line breaks.
  return /\s/.test(text) ? withoutSpace(own) : own;
}

export function decodedLength(slices: Base64Slices): number {
  const length = totalBytes(slices);
  const ending = Buffer.concat(skipped(slices, length - 2)).toString('latin1');
  const padding = ending.endsWith('==') ? 2 : Number(ending.endsWith('='));
  return Math.floor(((length - padding) * 3) / 4);
}

/** The length of the base64 text of this many bytes. */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);

/** The first bytes, decoded. */
export const firstBytes = (slices: Base64Slices, bytes: number): Buffer =>
  Buffer.from(beginningOf(slices, Math.ceil(bytes / 3) * 4), 'base64').subarray(0, bytes);

/** Encodes bytes as they arrive. */
interface Base64Encoder {
  push(bytes: Buffer): void;
  /** Returns the whole text; further calls return it again. */
  end(): Base64Slices;
}

export function createBase64Encoder(): Base64Encoder {
  const slices: Buffer[] = [];
  let left: Buffer = Buffer.alloc(0);
  return {
    push(part) {
      const bytes = left.length === 0 ? part : Buffer.concat([left, part]);
      const whole = bytes.length - (bytes.length % 3);
      // A copy: a view would keep the whole part in memory for two bytes.
      left = Buffer.from(bytes.subarray(whole));
      if (whole > 0) slices.push(Buffer.from(bytes.toString('base64', 0, whole), 'latin1'));
    },
    end() {
      if (left.length > 0) slices.push(Buffer.from(left.toString('base64'), 'latin1'));
      left = Buffer.alloc(0);
      return slices;
    },
  };
}

/** Encodes bytes as base64 text, in steps. */
export async function toBase64(parts: readonly Buffer[]): Promise<Base64Slices> {
  const encoder = createBase64Encoder();
  for (const part of inSteps(parts)) {
    encoder.push(part);
    if (part.length === stepBytes) await nextTurn();
  }
  return encoder.end();
}

/** Decodes into one buffer, in steps. */
export async function fromBase64(slices: Base64Slices): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(decodedLength(slices) + 3);
  let length = 0;
  let left = '';
  for (const slice of inSteps(slices)) {
    const text = left + slice.toString('latin1');
    const whole = text.length - (text.length % 4);
    left = text.slice(whole);
    length += bytes.write(text.slice(0, whole), length, 'base64');
    if (slice.length === stepBytes) await nextTurn();
  }
  length += bytes.write(left, length, 'base64');
  return bytes.subarray(0, length);
}

function* inSteps(parts: readonly Buffer[]): Generator<Buffer> {
  for (const part of parts) {
    for (let from = 0; from < part.length; from += stepBytes) yield part.subarray(from, from + stepBytes);
  }
}

/** At most this many of the last bytes, decoded. */
export function lastBytes(slices: Base64Slices, bytes: number): Buffer {
  const length = totalBytes(slices);
  // Reads one group more, because the last one may hold a single byte.
  const start = Math.max(0, Math.floor(length / 4) - Math.ceil(bytes / 3) - 1) * 4;
  return Buffer.from(Buffer.concat(skipped(slices, start)).toString('latin1'), 'base64').subarray(-bytes);
}

function beginningOf(slices: Base64Slices, length: number): string {
  let text = '';
  for (const slice of slices) {
    text += slice.toString('latin1', 0, length - text.length);
    if (text.length >= length) break;
  }
  return text;
}

function skipped(slices: Base64Slices, length: number): Buffer[] {
  let left = Math.max(0, length);
  return slices.flatMap((slice) => {
    const skip = Math.min(left, slice.length);
    left -= skip;
    if (skip === slice.length) return [];
    return [skip === 0 ? slice : slice.subarray(skip)];
  });
}

const withoutSpace = (slices: Base64Slices): Base64Slices =>
  slices.map((slice) => Buffer.from(slice.toString('latin1').replaceAll(/\s/g, ''), 'latin1'));
