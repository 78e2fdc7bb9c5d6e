import { createHash } from 'node:crypto';
import type { Plan } from '@switchyard/dispatch';
import { type CallSignatures, type ChatProvider, findChatProvider } from '@switchyard/providers';
import type { Store } from '@switchyard/store';
import type { ChatRequest } from '@switchyard/wire';

/**
 * What vendors sign tool calls with, kept for clients that send back of a call only what OpenAI knows of it. It may be
 * lost at any time: adapters know what to send then.
 */
export interface SignatureMemory {
  /** Those this request lacks, in one round trip; `undefined`, at once, when no planned provider misses any. */
  recall(asking: Asking): Promise<CallSignatures> | undefined;
  /** Takes the signatures of one answer, as translation tells them; `undefined` when no planned provider signs. */
  keeper(asking: Asking): ((callId: string, signature: string) => void) | undefined;
}

export interface Asking {
  /** Nobody gets what was signed for somebody else. */
  accountId: string | undefined;
  plan: Plan;
  request: ChatRequest;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Of one request or answer; further calls go without. */
const mostCalls = 64;
/** Seen signatures have some kilobytes. */
const longestSignature = 64 * 1024;

type Providers = (id: string) => Pick<ChatProvider, 'callSignatures'> | undefined;

export function createSignatureMemory(
  store: Pick<Store, 'get' | 'set'>,
  findProvider: Providers = findChatProvider,
): SignatureMemory {
  const signersOf = ({ plan }: Asking) =>
    plan.candidates.flatMap(({ offer }) => findProvider(offer.providerId)?.callSignatures ?? []);

  const read = async (asking: Asking, callIds: readonly string[]): Promise<CallSignatures> => {
    const values = await Promise.all(callIds.map((callId) => store.get(keyOf(asking, callId))));
    const known = callIds.flatMap((callId, index) => {
      const value = values[index];
      return value === undefined ? [] : [[callId, Buffer.from(value).toString('utf8')] as const];
    });
    return new Map(known);
  };

  return {
    recall(asking) {
      const missing = new Set(signersOf(asking).flatMap((signer) => signer.missingIn(asking.request)));
      return missing.size === 0 ? undefined : read(asking, [...missing].slice(-mostCalls));
    },
    keeper(asking) {
      if (signersOf(asking).length === 0) return undefined;
      let kept = 0;
      return (callId, signature) => {
        kept += 1;
        if (kept > mostCalls || signature.length > longestSignature) return;
        // Not after the answer: a quick client may ask again before it has ended. The store never throws for being away.
        void store.set(keyOf(asking, callId), Buffer.from(signature), dayMs);
      };
    },
  };
}

/** Signatures hold for the model that gave them. Ids are whatever clients send, so they are not part of a key as such. */
function keyOf({ accountId = '', plan }: Asking, callId: string): string {
  const hash = createHash('sha256').update(JSON.stringify([accountId, plan.model.id, callId]));
  return `chat:signature:${hash.digest('base64url')}`;
}
