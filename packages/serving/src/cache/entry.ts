import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Pieces } from '@tallyport/store';
import type { Usage } from '@tallyport/wire';
import { z } from 'zod';

/** An answer as its first client received it: one JSON document, or the log of a stream's events. */
export interface Entry {
  form: 'document' | 'events';
  /** The provider that made it. */
  provider: string;
  /** Of a stream. Its events contain the usage only if the client asked for it. */
  usage?: Usage | undefined;
  body: Buffer;
}

/** The first byte of a lease, which is stored in place of an answer while a replica makes it. */
export const leaseMark = 0;
const plainMark = 1;
const deflatedMark = 2;

/** Smaller entries are not worth compressing. */
const leastDeflated = 1024;

const piecesSchema = z.object({ run: z.string(), length: z.int().positive(), checksum: z.int() });

/** An entry in its stored form. */
export interface StoredEntry extends Entry {
  /** Set for a large body, which is not compressed, because it is mostly images; `body` is empty then. */
  pieces?: Pieces | undefined;
}

const headSchema = z.object({
  form: z.enum(['document', 'events']),
  provider: z.string(),
  usage: z
    .looseObject({ prompt_tokens: z.number(), completion_tokens: z.number(), total_tokens: z.number() })
    .optional(),
  pieces: piecesSchema.optional(),
});

/** Encodes an entry: a mark, the checksum of the rest, the head as a line of JSON, and the body. */
export function encodeEntry({ body, ...head }: StoredEntry): Buffer {
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
  const deflated = content.length >= leastDeflated;
  const packed = deflated ? deflateRawSync(content, { level: 1 }) : content;
  const beginning = Buffer.alloc(5);
  beginning[0] = deflated ? deflatedMark : plainMark;
  beginning.writeUInt32LE(crc32(packed), 1);
  return Buffer.concat([beginning, packed]);
}

/** `undefined` for an entry that was cut off, modified, or written by another program. */
export function decodeEntry(bytes: Uint8Array, maxBytes: number): StoredEntry | undefined {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const packed = buffer.subarray(5);
    if (crc32(packed) !== buffer.readUInt32LE(1)) return undefined;
    const content = unpacked(buffer[0], packed, maxBytes + mostHeadBytes);
    const lineEnd = content?.indexOf('\n') ?? -1;
    if (content === undefined || lineEnd < 0) return undefined;
    const head = headSchema.parse(JSON.parse(content.toString('utf8', 0, lineEnd)));
    const body = content.subarray(lineEnd + 1);
    return (head.pieces?.length ?? body.length) > maxBytes ? undefined : { ...head, body };
  } catch {
    return undefined;
  }
}

const mostHeadBytes = 16 * 1024;

function unpacked(mark: number | undefined, packed: Buffer, maxOutputLength: number): Buffer | undefined {
  if (mark === plainMark) return packed;
  return mark === deflatedMark ? inflateRawSync(packed, { maxOutputLength }) : undefined;
}
