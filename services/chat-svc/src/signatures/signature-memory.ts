import { createHash } from 'node:crypto';
import type { Plan } from '@tallyport/dispatch';
import { type CallSignatures, type ChatProvider, findChatProvider } from '@tallyport/providers';
import type { Store } from '@tallyport/store';
import type { ChatRequest } from '@tallyport/wire';

/**
 * Keeps the signatures of vendors on tool calls, for clients that send back only OpenAI's members of a call. They may
 * be lost at any time; adapters can send a request without them.
 */
export interface SignatureMemory {
  /**
   * Reads the missing signatures of a request in one round trip; `undefined`, without waiting, if no planned provider
   * needs any.
   */
  recall(conversation: ChatConversation): Promise<CallSignatures> | undefined;
  /** Returns the function that stores the signatures of one answer; `undefined` if no planned provider signs. */
  keeper(conversation: ChatConversation): ((callId: string, signature: string) => void) | undefined;
}

export interface ChatConversation {
  /** Signatures are never shared between accounts. */
  accountId: string | undefined;
  plan: Plan;
  request: ChatRequest;
}

const dayMs = 24 * 60 * 60 * 1000;
/** The maximum per request or answer; further calls are not signed. */
const mostCalls = 64;
/** Observed signatures are a few kilobytes long. */
const longestSignature = 64 * 1024;

type Providers = (id: string) => Pick<ChatProvider, 'callSignatures'> | undefined;

export function createSignatureMemory(
  store: Pick<Store, 'get' | 'set'>,
  findProvider: Providers = findChatProvider,
): SignatureMemory {
  const signersOf = ({ plan }: ChatConversation) =>
    plan.candidates.flatMap(({ offer }) => findProvider(offer.providerId)?.callSignatures ?? []);

  const read = async (conversation: ChatConversation, callIds: readonly string[]): Promise<CallSignatures> => {
    const values = await Promise.all(callIds.map((callId) => store.get(keyOf(conversation, callId))));
    const known = callIds.flatMap((callId, index) => {
      const value = values[index];
      return value === undefined ? [] : [[callId, Buffer.from(value).toString('utf8')] as const];
    });
    return new Map(known);
  };

  return {
    recall(conversation) {
      const signers = signersOf(conversation);
      if (signers.length === 0) return undefined;
      const missing = new Set(signers.flatMap((signer) => signer.missingIn(conversation.request)));
      return missing.size === 0 ? undefined : read(conversation, [...missing].slice(-mostCalls));
    },
    keeper(conversation) {
      if (signersOf(conversation).length === 0) return undefined;
      let kept = 0;
      return (callId, signature) => {
        kept += 1;
        if (kept > mostCalls || signature.length > longestSignature) return;
        // Stored before the answer ends, because a client may respond at once. The store does not throw when
        // unavailable.
        void store.set(keyOf(conversation, callId), Buffer.from(signature), dayMs);
      };
    },
  };
}

/** Signatures are valid for the model that made them. Ids are client input, so they are hashed. */
function keyOf({ accountId = '', plan }: ChatConversation, callId: string): string {
  const hash = createHash('sha256').update(JSON.stringify([accountId, plan.model.id, callId]));
  return `chat:signature:${hash.digest('base64url')}`;
}
