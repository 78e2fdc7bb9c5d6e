import { crc32 } from 'node:zlib';
import type { Pieces } from '@tallyport/store';
import { z } from 'zod';
import { parsedJson } from '../parsed-json.ts';

const headSchema = z.object({
  /** The responses before this one in its conversation, in order. */
  earlier: z.array(z.string()),
  /** The bytes of this response and of those before it. */
  conversationBytes: z.number(),
  /** The project of the key that stored it, `null` for none; absent in records of older versions. */
  project: z.string().nullable().optional(),
  /** The id of the conversation that it is a turn of. */
  conversation: z.string().optional(),
  /** Where its bytes are counted in the quota of its account. */
  quotaSlot: z.number(),
  bytes: z.number(),
  checksum: z.number(),
  /** Set for a large body, which is stored beside its record. */
  pieces: z.object({ run: z.string(), length: z.number(), checksum: z.number() }).optional(),
});

/** What is known of a stored response without reading all of it. */
export type RecordHead = Omit<z.infer<typeof headSchema>, 'pieces'> & { pieces?: Pieces | undefined };

export interface ResponseRecord {
  head: RecordHead;
  /** Empty if the head names pieces. */
  body: Buffer;
}

/** The head as a line of JSON, and the body. */
export const encodeResponseRecord = ({ head, body }: ResponseRecord): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);

/** `undefined` for a value that was cut off, modified, or written by another program. */
export function decodeResponseRecord({ buffer, byteOffset, byteLength }: Uint8Array): ResponseRecord | undefined {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const lineEnd = bytes.indexOf('\n');
  const head = headSchema.safeParse(parsedJson(bytes.subarray(0, Math.max(0, lineEnd)))).data;
  const body = bytes.subarray(lineEnd + 1);
  if (head === undefined || (head.pieces === undefined && crc32(body) !== head.checksum)) return undefined;
  return { head, body };
}
