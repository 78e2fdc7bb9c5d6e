import { crc32 } from 'node:zlib';
import { type ListedItem, readStoredItems } from '@tallyport/dialects';
import {
  type ByteQuota,
  dropPieces,
  knownValues,
  pieceBytes,
  readPieces,
  type Store,
  writePieces,
} from '@tallyport/store';
import { parseExactJson } from '@tallyport/wire';
import { z } from 'zod';
import { accountHash } from '../account-hash.ts';
import { parsedJson } from '../parsed-json.ts';
import { decodeResponseRecord, encodeResponseRecord, type RecordHead, type ResponseRecord } from './response-record.ts';
import { createItemNames, noItemNames } from './item-names.ts';
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
  /** The id of the conversation that it is a turn of. */
  conversation?: string | undefined;
}

/** A stored response before its body is read. */
export interface FoundRecord {
  id: string;
  head: RecordHead;
  /** `undefined` if the body is lost. */
  read(): Promise<StoredResponse | undefined>;
}

interface StoredResponse {
  response: Record<string, unknown>;
  input: ListedItem[];
  output: ListedItem[];
}

/** Whose a response is: keys of another project of the account do not know it. */
export interface ResponseOwner {
  accountId: string;
  /** Absent for keys in no project. */
  projectId?: string | undefined;
  /** Set for a response that only requests of a socket may continue. */
  socketId?: string | undefined;
}

/** The responses of each account and project, for a limited time. */
export interface StoredResponses {
  keep(owner: ResponseOwner, ended: EndedResponse): Promise<KeepResult>;
  /** `undefined` if there is none. Throws `unavailable` if that is unknown. */
  find(owner: ResponseOwner, id: string): Promise<FoundRecord | undefined>;
  /** The response of an item whose id does not name it, because a vendor wrote it. Fails like `find`. */
  responseOf(owner: Pick<ResponseOwner, 'accountId'>, itemId: string): Promise<string | undefined>;
  /** `false` if there is none. Throws `unavailable` if that is unknown. */
  delete(owner: ResponseOwner, id: string): Promise<boolean>;
}

/** What is stored: responses of OpenAI's API, or interactions of Google's. Neither knows the ids of the other. */
type StoredKind = 'interaction' | 'response';

interface StoredResponsesOptions {
  kind: StoredKind;
  store: Pick<Store, 'find' | 'get' | 'set' | 'delete' | 'deleteIfEqual'>;
  /** Limits how much an account may store. */
  quota: ByteQuota;
  /** The largest response, with the input of its request. */
  maxBytes: number;
  ttlMs: number;
}

/** Roughly what the store needs in addition to the body. */
const recordOverhead = 512;

export function createStoredResponses(options: StoredResponsesOptions): StoredResponses {
  const { kind, store, quota, maxBytes, ttlMs } = options;
  const items = kind === 'response' ? createItemNames(store, ttlMs) : noItemNames;
  const nameOf = ({ accountId, socketId }: ResponseOwner, id: string): string =>
    `${kind}:${accountHash(accountId, id, ...(socketId === undefined ? [] : [socketId]))}`;
  const bytesCounted = (bodyBytes: number, named: Pick<EndedResponse, 'id' | 'response'>): number =>
    bodyBytes + recordOverhead + items.bytesOf(named);

  const known = knownValues(store, storeUnavailable);

  return {
    async keep(owner, ended) {
      const { accountId } = owner;
      const body = Buffer.from(JSON.stringify({ response: ended.response, input: ended.input }));
      if (body.length > maxBytes) return 'too_large';
      const share = await quota.take(accountId, bytesCounted(body.length, ended), ttlMs);
      if (share === undefined) return 'account_full';
      const record = { head: { ...headOf(ended, body), quotaSlot: share.slot, project: projectOf(owner) }, body };
      const isStored =
        (await writeRecord(store, record, { name: nameOf(owner, ended.id), ttlMs })) &&
        (await items.add(accountId, ended));
      if (isStored) return 'stored';
      share.giveBack();
      return 'unavailable';
    },
    async find(owner, id) {
      const name = nameOf(owner, id);
      const bytes = await known.get(name);
      const record = bytes && decodeResponseRecord(bytes);
      if (record === undefined || !isOf(owner, record)) return undefined;
      return { id, head: record.head, read: () => readRecord(known, record, name) };
    },
    async responseOf({ accountId }, itemId) {
      const id = await known.get(items.nameOf(accountId, itemId));
      return id && Buffer.from(id).toString();
    },
    async delete(owner, id) {
      const { accountId } = owner;
      const name = nameOf(owner, id);
      const bytes = await known.get(name);
      if (bytes === undefined) return false;
      const record = decodeResponseRecord(bytes);
      if (record !== undefined && !isOf(owner, record)) return false;
      const ended = record && (await readRecord(known, record, name));
      const deleted = await store.deleteIfEqual(name, bytes);
      if (deleted === undefined) throw storeUnavailable();
      const head = deleted ? record?.head : undefined;
      if (head === undefined) return deleted;
      const named = { id, response: ended?.response ?? {} };
      items.remove(accountId, named);
      if (head.pieces !== undefined) dropPieces(store, name, head.pieces);
      quota.release(accountId, { bytes: bytesCounted(head.bytes, named), keptMs: ttlMs, slot: head.quotaSlot });
      return deleted;
    },
  };
}

async function readRecord(
  store: Pick<Store, 'get'>,
  { head, body }: ResponseRecord,
  name: string,
): Promise<StoredResponse | undefined> {
  const bytes = head.pieces === undefined ? body : await readPieces(store, name, head.pieces);
  return bytes && readBody(bytes);
}

const headOf = (
  { previous, conversation }: EndedResponse,
  body: Buffer,
): Omit<RecordHead, 'project' | 'quotaSlot'> => ({
  earlier: previous === undefined ? [] : [...previous.head.earlier, previous.id],
  conversationBytes: (previous?.head.conversationBytes ?? 0) + body.length,
  conversation,
  bytes: body.length,
  checksum: crc32(body),
});

const projectOf = ({ projectId }: ResponseOwner): string | null => projectId ?? null;

/** Records of older versions belong to the whole account. */
const isOf = (owner: ResponseOwner, { head }: ResponseRecord): boolean =>
  head.project === undefined || head.project === projectOf(owner);

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
  const body = bodySchema.safeParse(parsedJson(bytes, parseExactJson)).data;
  const input = readStoredItems(body?.input);
  const output = readStoredItems(body?.response.output);
  return body && input && output && { response: body.response, input, output };
}
