import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type ListedItem, readStoredItems } from '@tallyport/dialects';
import type { Pieces } from '@tallyport/store';
import { z } from 'zod';
import { parsedJson } from '../parsed-json.ts';

/** A conversation whose items clients keep here. */
export interface KeptConversation {
  id: string;
  /** Unix seconds. */
  createdAt: number;
  metadata: Readonly<Record<string, string>>;
  items: readonly ListedItem[];
}

const headSchema = z.object({
  createdAt: z.number(),
  metadata: z.record(z.string(), z.string()),
  /** Where its bytes are counted in the quota of its account. */
  quotaSlot: z.number(),
  bytes: z.number(),
  checksum: z.number(),
  /** Set for large items, which are stored beside the record. */
  pieces: z.object({ run: z.string(), length: z.number(), checksum: z.number() }).optional(),
});

export type ConversationHead = Omit<z.infer<typeof headSchema>, 'pieces'> & { pieces?: Pieces | undefined };

export interface ConversationRecord {
  /** Differs after each change, and begins the stored value. */
  version: string;
  head: ConversationHead;
  /** The items as JSON; empty if the head names pieces. */
  body: Buffer;
}

/** What a value begins with that has this version. */
export const markOf = (version: string): Buffer => Buffer.from(`${version}\n`);

export const newVersion = (): string => randomUUID();

/** The version and the head as a line each, and the items. */
export const encodeConversation = ({ version, head, body }: ConversationRecord): Buffer =>
  Buffer.concat([markOf(version), Buffer.from(`${JSON.stringify(head)}\n`), body]);

/** Takes the place of a conversation that was deleted while requests may still change it. */
export const deletedConversation = Buffer.from('deleted');

/** `undefined` for one that was deleted, and for a value that was cut off, modified, or written by another program. */
export function decodeConversation({ buffer, byteOffset, byteLength }: Uint8Array): ConversationRecord | undefined {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const versionEnd = bytes.indexOf('\n');
  const headEnd = bytes.indexOf('\n', versionEnd + 1);
  if (versionEnd < 0 || headEnd < 0) return undefined;
  const head = headSchema.safeParse(parsedJson(bytes.subarray(versionEnd + 1, headEnd))).data;
  const body = bytes.subarray(headEnd + 1);
  if (head === undefined || (head.pieces === undefined && crc32(body) !== head.checksum)) return undefined;
  return { version: bytes.subarray(0, versionEnd).toString(), head, body };
}

export const encodeItems = (items: readonly ListedItem[]): Buffer => Buffer.from(JSON.stringify(items));

export const decodeItems = (body: Buffer): ListedItem[] | undefined => readStoredItems(parsedJson(body));
