import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { collectPassed } from '@tallyport/service-kit';
import type { ContentRange } from '../storage/file-storage.ts';
import { LostContent } from '../storage/lost-content.ts';

/**
 * Content at rest: segments of AES-256-GCM under a key of the file's own. The nonce of a segment is its number and whether
 * it is the last, so a segment that was moved, left out, repeated or put into another file cannot be opened, and neither can
 * the last one of content that was cut.
 */
const cipher = 'aes-256-gcm';
const segmentBytes = 64 * 1024;
const tagBytes = 16;
const sealedSegmentBytes = segmentBytes + tagBytes;

/** Node takes five times as long for a key in plain bytes. */
export const contentKeyOf = (bytes: Uint8Array): KeyObject => createSecretKey(bytes);

export const newContentKey = (): KeyObject => contentKeyOf(randomBytes(32));

interface Segment {
  key: KeyObject;
  index: number;
  isLast: boolean;
}

/** Seals pieces of any size, a segment at a time. */
export async function* sealContent(pieces: AsyncIterable<Uint8Array>, key: KeyObject): AsyncGenerator<Uint8Array> {
  const segment = Buffer.allocUnsafe(segmentBytes);
  let filled = 0;
  let index = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      if (filled === segmentBytes) {
        yield sealSegment(segment, { key, index: index++, isLast: false });
        collectPassed(filled);
        filled = 0;
      }
      const taken = piece.subarray(at, at + segmentBytes - filled);
      segment.set(taken, filled);
      filled += taken.length;
      at += taken.length;
    }
  }
  yield sealSegment(segment.subarray(0, filled), { key, index, isLast: true });
}

function sealSegment(bytes: Uint8Array, segment: Segment): Uint8Array {
  const encryption = createCipheriv(cipher, segment.key, nonceOf(segment), { authTagLength: tagBytes });
  return Buffer.concat([encryption.update(bytes), encryption.final(), encryption.getAuthTag()]);
}

/** A key seals one file only, so numbers do not repeat. */
function nonceOf({ index, isLast }: Segment): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 7);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

interface SealedContent {
  key: KeyObject;
  /** The length of the plain content. */
  bytes: number;
  /** Reads a range of the sealed content. */
  read(range: ContentRange): AsyncIterable<Uint8Array>;
}

/** Opens a range of the content. Throws `internal_error` at the first segment that is not what was sealed there. */
export async function* openContent(content: SealedContent, { start, end }: ContentRange): AsyncGenerator<Uint8Array> {
  const { bytes, key } = content;
  const last = Math.max(Math.ceil(bytes / segmentBytes) - 1, 0);
  const first = Math.floor(start / segmentBytes);
  const until = Math.max(Math.ceil(end / segmentBytes), first + 1);
  const sealed = content.read({
    start: first * sealedSegmentBytes,
    end: Math.min(until * sealedSegmentBytes, bytes + (last + 1) * tagBytes),
  });
  let index = first;
  for await (const segment of segmentsOf(sealed)) {
    if (index > last) throw damaged();
    const plain = openSegment(segment, { key, index, isLast: index === last });
    const from = index * segmentBytes;
    yield plain.subarray(Math.max(start - from, 0), Math.min(end - from, plain.length));
    collectPassed(plain.length);
    index += 1;
  }
  if (index < until) throw damaged();
}

/** Pieces of any size as sealed segments, of which only the last one is shorter. */
async function* segmentsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const segment = Buffer.allocUnsafe(sealedSegmentBytes);
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const taken = piece.subarray(at, at + sealedSegmentBytes - filled);
      segment.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < sealedSegmentBytes) continue;
      yield segment;
      filled = 0;
    }
  }
  if (filled > 0) yield segment.subarray(0, filled);
}

function openSegment(sealed: Uint8Array, segment: Segment): Uint8Array {
  if (sealed.length < tagBytes) throw damaged();
  const decryption = createDecipheriv(cipher, segment.key, nonceOf(segment), { authTagLength: tagBytes });
  decryption.setAuthTag(sealed.subarray(-tagBytes));
  const plain = decryption.update(sealed.subarray(0, -tagBytes));
  try {
    decryption.final();
  } catch (cause) {
    throw damaged(cause);
  }
  return plain;
}

const damaged = (cause?: unknown): LostContent =>
  new LostContent('The stored content of the file is damaged. Delete the file and send it again.', cause);
