import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EmbeddingEncoding } from '@tallyport/providers';
import { type KeptVector, WireError, totalBytes } from '@tallyport/wire';

/** A vector as JSON text: in brackets for numbers, in quotes for base64. Slices remain the provider's bytes. */
export type VectorText = readonly Buffer[];

interface WantedVectors {
  encoding: EmbeddingEncoding;
  /** Scale every vector to length 1. */
  scale: boolean;
}

/** Yields to the event loop after this many bytes, so that a large answer does not block other requests. */
const stepBytes = 64 * 1024;

/** Converts vectors, in steps. Vectors that already have the wanted encoding are not parsed. */
export async function toVectorTexts(vectors: readonly KeptVector[], wanted: WantedVectors): Promise<VectorText[]> {
  const texts: VectorText[] = [];
  let bytes = 0;
  for (const vector of vectors) {
    texts.push(textOf(vector, wanted));
    bytes += totalBytes(vector.slices);
    if (bytes < stepBytes) continue;
    bytes = 0;
    await nextTurn();
  }
  return texts;
}

const marks = { base64: Buffer.from('"'), open: Buffer.from('['), close: Buffer.from(']') };
const kinds = { numbers: 'float', text: 'base64' } as const;

function textOf(vector: KeptVector, { encoding, scale }: WantedVectors): VectorText {
  if (vector.kind === 'text') checkBase64(vector.slices);
  const slices = kinds[vector.kind] === encoding && !scale ? vector.slices : [converted(vector, { encoding, scale })];
  return encoding === 'base64' ? [marks.base64, ...slices, marks.base64] : [marks.open, ...slices, marks.close];
}

function converted(vector: KeptVector, { encoding, scale }: WantedVectors): Buffer {
  const numbers = vector.kind === 'text' ? decoded(vector.slices) : parsed(vector.slices);
  const scaled = scale ? scaledToOne(numbers) : numbers;
  if (encoding === 'float') return Buffer.from(JSON.stringify([...scaled]).slice(1, -1));
  return Buffer.from(bytesOf(scaled).toString('base64'));
}

/** 1: part of base64 text. Indexed by byte. */
const base64Bytes = new Uint8Array(256);
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=')) {
  base64Bytes[byte] = 1;
}

/** A loop by index: an iterator takes ten times as long. */
function checkBase64(slices: readonly Buffer[]): void {
  for (const slice of slices) {
    for (let at = 0; at < slice.length; at += 1) {
      if (base64Bytes[slice[at] ?? 0] !== 1) throw new WireError('frame_corrupt', 'A vector is not base64.');
    }
  }
}

/** The bytes of base64 vectors are float32 numbers, the lowest byte first. */
function decoded(slices: readonly Buffer[]): Float32Array {
  const bytes = Buffer.from(Buffer.concat(slices).toString('latin1'), 'base64');
  if (bytes.length % 4 !== 0) throw new WireError('frame_corrupt', 'The vector ends inside a number.');
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

/** Throws SyntaxError for anything but numbers. */
const parsed = (slices: readonly Buffer[]): Float32Array =>
  new Float32Array(JSON.parse(`[${Buffer.concat(slices).toString('latin1')}]`));

function bytesOf(numbers: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(numbers.length * 4);
  for (let at = 0; at < numbers.length; at += 1) bytes.writeFloatLE(numbers[at] ?? 0, at * 4);
  return bytes;
}

function scaledToOne(numbers: Float32Array): Float32Array {
  const length = Math.hypot(...numbers);
  return length === 0 ? numbers : numbers.map((number) => number / length);
}
