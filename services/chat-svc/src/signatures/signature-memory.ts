import { hash } from 'node:crypto';
import type { Principal } from '@tallyport/contracts';
import type { Plan } from '@tallyport/dispatch';
import {
  type CallSignatures,
  type ChatProvider,
  findChatProvider,
  type PlacedName,
  type PlacedSignature,
  placedSignatures,
} from '@tallyport/providers';
import type { ByteQuota, Store } from '@tallyport/store';
import type { ChatRequest } from '@tallyport/wire';
import { beginningsOf } from './beginnings.ts';

/**
 * Keeps what vendors want back with their answers, signatures and thinking, for clients that send back only OpenAI's
 * members. It may be lost at any time; adapters can send a request without it.
 */
export interface SignatureMemory {
  /** Reads what a request lacks; `undefined`, without waiting, if no planned provider wants anything. */
  recall(conversation: ChatConversation): Promise<CallSignatures> | undefined;
  /** Returns the function that stores the signatures of one answer; `undefined` if no planned provider wants any. */
  keeper(conversation: ChatConversation): ((name: string, signature: string) => void) | undefined;
}

export interface ChatConversation {
  /** Signatures are never shared between accounts, their projects and their end users. */
  principal: Pick<Principal, 'accountId' | 'projectId'> | undefined;
  endUser(): string | undefined;
  plan: Plan;
  request: ChatRequest;
}

interface SignatureMemoryOptions {
  store: Pick<Store, 'delete' | 'get' | 'set'>;
  /** Of all signatures of an account. */
  quota: Pick<ByteQuota, 'take'>;
  findProvider?: (id: string) => Pick<ChatProvider, 'callSignatures'> | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;
/** The maximum of one answer; further ones are not kept. */
const mostKept = 64;
/** The maximum of one request, which has a conversation of agents with some hundred calls; the last ones are read. */
const mostRead = 512;
/** Read in one round trip. */
const readTogether = 64;
/** After as much, no further names are read. */
const mostReadBytes = 4 * 1024 * 1024;
/** Signatures are a few kilobytes long, and so is most thinking before a call. */
const longestSignature = 64 * 1024;

export function createSignatureMemory({
  store,
  quota,
  findProvider = findChatProvider,
}: SignatureMemoryOptions): SignatureMemory {
  const signersOf = ({ plan }: ChatConversation) =>
    plan.candidates.flatMap(({ offer }) => {
      const rules = findProvider(offer.providerId)?.callSignatures;
      return rules === undefined ? [] : [{ rules, offer }];
    });

  /** The last ones first, because the current question needs them most. */
  async function read(conversation: ChatConversation, names: readonly PlacedName[]): Promise<CallSignatures> {
    const nameKey = keysOf(conversation);
    const known: PlacedSignature[] = [];
    let bytes = 0;
    for (let end = names.length; end > 0 && bytes < mostReadBytes; end -= readTogether) {
      const batch = names.slice(Math.max(0, end - readTogether), end);
      const values = await Promise.all(batch.map((placed) => store.get(nameKey(placed))));
      for (const [index, value] of values.entries()) {
        const placed = batch[index];
        if (value === undefined || placed === undefined) continue;
        bytes += value.byteLength;
        known.push({ ...placed, signature: Buffer.from(value).toString('utf8') });
      }
    }
    return placedSignatures(known);
  }

  /** Stored without waiting for the quota, because a client may respond at once. Neither throws when unavailable. */
  async function keep(conversation: ChatConversation, name: string, value: Buffer): Promise<void> {
    const { principal, request } = conversation;
    const key = keysOf(conversation)({ place: request.messages.length, name });
    const [result, share] = await Promise.all([
      store.set(key, value, dayMs),
      quota.take(principal?.accountId ?? '', key.length + value.byteLength, dayMs),
    ]);
    if (share === undefined) await store.delete(key);
    else if (result !== 'stored') share.giveBack();
  }

  return {
    recall(conversation) {
      const signers = signersOf(conversation);
      if (signers.length === 0) return undefined;
      const { request } = conversation;
      const missing = inOrder(signers.flatMap(({ rules, offer }) => rules.missingIn(request, offer)));
      return missing.length === 0 ? undefined : read(conversation, missing.slice(-mostRead));
    },
    keeper(conversation) {
      if (signersOf(conversation).length === 0) return undefined;
      let kept = 0;
      return (name, signature) => {
        kept += 1;
        if (kept > mostKept || signature.length > longestSignature) return;
        void keep(conversation, name, Buffer.from(signature));
      };
    },
  };
}

/** Each name once, in the order of the messages. */
function inOrder(names: readonly PlacedName[]): PlacedName[] {
  const found = new Map(names.map((placed) => [`${placed.place} ${placed.name}`, placed]));
  return [...found.values()].toSorted((one, other) => one.place - other.place);
}

/**
 * The key of what belongs to a message: it is valid for the model that made it, and in this conversation. Ids are client
 * input, so they are hashed.
 */
function keysOf({ principal, endUser, plan, request }: ChatConversation): (placed: PlacedName) => string {
  const { accountId = '', projectId = '' } = principal ?? {};
  const user = endUser() ?? '';
  const beginningAt = beginningsOf(request.messages);
  return ({ place, name }) => {
    const parts = [accountId, projectId, user, plan.model.id, beginningAt(place), name];
    return `chat:signature:${hash('sha256', JSON.stringify(parts), 'base64url')}`;
  };
}
