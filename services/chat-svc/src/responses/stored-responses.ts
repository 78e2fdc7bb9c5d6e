import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type ListedItem, readStoredItems } from '@switchyard/dialects';
import { type ByteQuota, dropPieces, pieceBytes, readPieces, type Store, writePieces } from '@switchyard/store';
import { z } from 'zod';
import {
  decodeResponseRecord,
  encodeResponseRecord,
  parsedJson,
  type RecordHead,
  type ResponseRecord,
} from './response-record.ts';
import { storeUnavailable } from './refusals.ts';

export type KeepResult = 'stored' | 'too_large' | 'account_full' | 'unavailable';

/** A response that is complete, to be stored. */
export interface EndedResponse {
  id: string;
  response: object;
  /** The input of its request alone. */
  input: readonly ListedItem[];
  /** The response that it continues. */
  previous: Pick<FoundRecord, 'id' | 'head'> | undefined;
}

/** A stored response before its body is read. */
export interface FoundRecord {
  id: string;
  head: RecordHead;
  /** `undefined` if the body is lost. */
  read(): Promise<StoredResponse | undefined>;
}

export interface StoredResponse {
  response: Record<string, unknown>;
  input: ListedItem[];
  output: ListedItem[];
}

/** The responses of each account, for a limited time. */
export interface StoredResponses {
  keep(accountId: string, ended: EndedResponse): Promise<KeepResult>;
  /** `undefined` if there is none. Throws `unavailable` if that is unknown. */
  find(accountId: string, id: string): Promise<FoundRecord | undefined>;
  /** `false` if there is none. Throws `unavailable` if that is unknown. */
  delete(accountId: string, id: string): Promise<boolean>;
}

export interface StoredResponsesOptions {
  store: Pick<Store, 'get' | 'set' | 'delete' | 'deleteIfEqual' | 'ping'>;
  /** Limits how much an account may store. */
  quota: ByteQuota;
  /** The largest response, with the input of its request. */
  maxBytes: number;
  ttlMs: number;
}

/** Roughly what the store needs in addition to the body. */
const recordOverhead = 512;
/** As long as a command may take. */
const pingMs = 500;

export function createStoredResponses({ store, quota, maxBytes, ttlMs }: StoredResponsesOptions): StoredResponses {
  const bytesCounted = (bodyBytes: number): number => bodyBytes + recordOverhead;

  /** A store that is away looks empty. */
  async function value(name: string): Promise<Uint8Array | undefined> {
    const bytes = await store.get(name);
    if (bytes === undefined && !(await store.ping(pingMs)).connected) throw storeUnavailable();
    return bytes;
  }

  return {
    async keep(accountId, ended) {
      const body = Buffer.from(JSON.stringify({ response: ended.response, input: ended.input }));
      if (body.length > maxBytes) return 'too_large';
      const share = await quota.take(accountId, bytesCounted(body.length), ttlMs);
      if (share === undefined) return 'account_full';
      const record = { head: headOf(ended, body, share.slot), body };
      if (await writeRecord(store, record, { name: nameOf(accountId, ended.id), ttlMs })) return 'stored';
      share.giveBack();
      return 'unavailable';
    },
    async find(accountId, id) {
      const name = nameOf(accountId, id);
      const bytes = await value(name);
      const record = bytes && decodeResponseRecord(bytes);
      if (record === undefined) return undefined;
      const { head } = record;
      const read = async () => {
        const body = head.pieces === undefined ? record.body : await readPieces(store, name, head.pieces);
        return body && readBody(body);
      };
      return { id, head, read };
    },
    async delete(accountId, id) {
      const name = nameOf(accountId, id);
      const bytes = await value(name);
      if (bytes === undefined) return false;
      const deleted = await store.deleteIfEqual(name, bytes);
      if (deleted === undefined) throw storeUnavailable();
      const head = deleted ? decodeResponseRecord(bytes)?.head : undefined;
      if (head?.pieces !== undefined) dropPieces(store, name, head.pieces);
      if (head !== undefined) {
        quota.release(accountId, { bytes: bytesCounted(head.bytes), keptMs: ttlMs, slot: head.quotaSlot });
      }
      return deleted;
    },
  };
}

const headOf = ({ previous }: EndedResponse, body: Buffer, quotaSlot: number): RecordHead => ({
  earlier: previous === undefined ? [] : [...previous.head.earlier, previous.id],
  conversationBytes: (previous?.head.conversationBytes ?? 0) + body.length,
  quotaSlot,
  bytes: body.length,
  checksum: crc32(body),
});

/** `false` unless all of it is certainly stored. */
async function writeRecord(
  store: Pick<Store, 'get' | 'set' | 'delete'>,
  record: ResponseRecord,
  { name, ttlMs }: { name: string; ttlMs: number },
): Promise<boolean> {
  const { head, body } = record;
  const isLarge = body.length > pieceBytes;
  const pieces = isLarge ? await writePieces(store, { name, body, ttlMs }) : undefined;
  if (isLarge && pieces === undefined) return false;
  const inPieces = pieces && { head: { ...head, pieces }, body: Buffer.alloc(0) };
  if ((await store.set(name, encodeResponseRecord(inPieces ?? record), ttlMs)) === 'stored') return true;
  if (pieces !== undefined) dropPieces(store, name, pieces);
  return false;
}

const bodySchema = z.object({ response: z.looseObject({ output: z.unknown() }), input: z.unknown() });

function readBody(bytes: Buffer): StoredResponse | undefined {
  const body = bodySchema.safeParse(parsedJson(bytes)).data;
  const input = readStoredItems(body?.input);
  const output = readStoredItems(body?.response.output);
  return body && input && output && { response: body.response, input, output };
}

/** The account is part of the name, so a foreign id is as unknown as one that never existed. */
function nameOf(accountId: string, id: string): string {
  const hash = createHash('sha256').update(JSON.stringify([accountId, id]));
  return `response:${hash.digest('base64url')}`;
}
