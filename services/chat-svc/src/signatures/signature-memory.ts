import { createHash } from 'node:crypto';
import type { Plan } from '@tallyport/dispatch';
import { type CallSignatures, type ChatProvider, findChatProvider } from '@tallyport/providers';
import type { ByteQuota, Store } from '@tallyport/store';
import type { ChatRequest } from '@tallyport/wire';

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
  /** Signatures are never shared between accounts. */
  accountId: string | undefined;
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
  async function read(conversation: ChatConversation, names: readonly string[]): Promise<CallSignatures> {
    const known = new Map<string, string>();
    let bytes = 0;
    for (let end = names.length; end > 0 && bytes < mostReadBytes; end -= readTogether) {
      const batch = names.slice(Math.max(0, end - readTogether), end);
      const values = await Promise.all(batch.map((name) => store.get(keyOf(conversation, name))));
      for (const [index, value] of values.entries()) {
        if (value === undefined) continue;
        bytes += value.byteLength;
        known.set(batch[index] ?? '', Buffer.from(value).toString('utf8'));
      }
    }
    return known;
  }

  /** Stored without waiting for the quota, because a client may respond at once. Neither throws when unavailable. */
  async function keep(conversation: ChatConversation, name: string, value: Buffer): Promise<void> {
    const { accountId = '' } = conversation;
    const key = keyOf(conversation, name);
    const [result, share] = await Promise.all([
      store.set(key, value, dayMs),
      quota.take(accountId, key.length + value.byteLength, dayMs),
    ]);
    if (share === undefined) await store.delete(key);
    else if (result !== 'stored') share.giveBack();
  }

  return {
    recall(conversation) {
      const signers = signersOf(conversation);
      if (signers.length === 0) return undefined;
      const { request } = conversation;
      const missing = new Set(signers.flatMap(({ rules, offer }) => rules.missingIn(request, offer)));
      return missing.size === 0 ? undefined : read(conversation, [...missing].slice(-mostRead));
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

/** Signatures are valid for the model that made them. Ids are client input, so they are hashed. */
function keyOf({ accountId = '', plan }: ChatConversation, name: string): string {
  const hash = createHash('sha256').update(JSON.stringify([accountId, plan.model.id, name]));
  return `chat:signature:${hash.digest('base64url')}`;
}
