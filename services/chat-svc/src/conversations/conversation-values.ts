import { crc32 } from 'node:zlib';
import {
  type ByteQuota,
  dropPieces,
  knownValues,
  pieceBytes,
  readPieces,
  type Store,
  writePieces,
} from '@tallyport/store';
import { accountHash } from '../account-hash.ts';
import {
  type ConversationHead,
  type ConversationRecord,
  decodeConversation,
  decodeItems,
  encodeConversation,
  encodeItems,
  type KeptConversation,
  newVersion,
} from './conversation-record.ts';
import { accountFull, conversationsUnavailable } from './refusals.ts';

/** Whose a conversation is: keys of another project of the account do not know it. */
export interface ConversationOwner {
  accountId: string;
  projectId?: string | undefined;
}

export interface FoundConversation extends KeptConversation {
  /** Of its items. */
  bytes: number;
}

interface ReadRecord {
  record: ConversationRecord;
  conversation: FoundConversation;
}

/** A conversation as a value of the store, which counts in the quota already. */
interface PreparedValue {
  name: string;
  value: Buffer;
  /** Undoes what was prepared, if the value was not stored. */
  drop(): void;
}

/** How conversations are values of a store. All throw `unavailable` if it is away. */
interface ConversationValues {
  /** `undefined` if there is none. */
  read(owner: ConversationOwner, id: string): Promise<ReadRecord | undefined>;
  /** Throws `request_too_large` beyond the quota of the account. */
  prepare(owner: ConversationOwner, conversation: KeptConversation): Promise<PreparedValue>;
  /** Frees what a value used that was replaced or deleted. */
  release(owner: ConversationOwner, name: string, head: ConversationHead): void;
}

export interface ConversationValueOptions {
  store: Pick<Store, 'find' | 'get' | 'set' | 'delete'>;
  /** Limits how much an account may store. */
  quota: ByteQuota;
  ttlMs: number;
}

/** Roughly what the store needs in addition to the items. */
const recordOverhead = 512;

export function createConversationValues({ store, quota, ttlMs }: ConversationValueOptions): ConversationValues {
  const known = knownValues(store, conversationsUnavailable);

  async function readOnce(owner: ConversationOwner, id: string): Promise<ReadRecord | undefined> {
    const name = conversationName(owner, id);
    const value = await known.get(name);
    const record = value && decodeConversation(value);
    if (record === undefined) return undefined;
    const { pieces, createdAt, metadata, bytes } = record.head;
    const body = pieces === undefined ? record.body : await readPieces(known, name, pieces);
    const items = body && decodeItems(body);
    return items && { record, conversation: { id, createdAt, metadata, items, bytes } };
  }

  return {
    // Its pieces may be replaced while they are read.
    read: async (owner, id) => (await readOnce(owner, id)) ?? (await readOnce(owner, id)),
    async prepare(owner, { id, createdAt, metadata, items }) {
      const body = encodeItems(items);
      const share = await quota.take(owner.accountId, body.length + recordOverhead, ttlMs);
      if (share === undefined) throw accountFull();
      const name = conversationName(owner, id);
      const isLarge = body.length > pieceBytes;
      const pieces = isLarge ? await writePieces(store, { name, body, ttlMs }) : undefined;
      const drop = (): void => {
        share.giveBack();
        if (pieces !== undefined) dropPieces(store, name, pieces);
      };
      if (isLarge && pieces === undefined) {
        drop();
        throw conversationsUnavailable();
      }
      const kept = { quotaSlot: share.slot, bytes: body.length, checksum: crc32(body), pieces };
      const head = { createdAt, metadata, ...kept };
      const record = { version: newVersion(), head, body: isLarge ? Buffer.alloc(0) : body };
      return { name, value: encodeConversation(record), drop };
    },
    release({ accountId }, name, { bytes, quotaSlot, pieces }) {
      quota.release(accountId, { bytes: bytes + recordOverhead, keptMs: ttlMs, slot: quotaSlot });
      if (pieces !== undefined) dropPieces(store, name, pieces);
    },
  };
}

export const conversationName = ({ accountId, projectId }: ConversationOwner, id: string): string =>
  `conversation:${accountHash(accountId, projectId ?? null, id)}`;
