import type { Model, Offer, RequestHead } from '@tallyport/contracts';
import { type CandidateReason, offerKey, type Plan, type PlanGround, type RoutingSettings } from '@tallyport/dispatch';
import { entriesUpTo, type Store } from '@tallyport/store';
import type { ChatRequest } from '@tallyport/wire';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { conversationKey } from './conversation-key.ts';
import { sharedEntries } from './shared-entries.ts';

/**
 * Remembers which offer has the prompt of a conversation cached, so that its chats stay there. Replicas send changes to
 * each other; no request waits for that, and an entry may be lost at any time.
 */
export interface PromptAffinity {
  /** `undefined` for a prompt that is too short to be cached, and without a choice of offers or without such prices. */
  of(chat: AffineChat): ConversationAffinity | undefined;
  close(): void;
}

interface AffineChat {
  head: RequestHead;
  request: ChatRequest;
  model: Model;
  ground: Pick<PlanGround, 'obstacle' | 'account'>;
}

export interface ConversationAffinity {
  /** The key of the offer that has the prompt cached. */
  cachedAt(): string | undefined;
  /** Call when an offer has answered. */
  served(offer: Offer, plan: Plan): void;
}

const mostConversations = 20_000;
const noticeSchema = z.tuple([z.string().max(64), z.string().max(500)]);

export function openPromptAffinity(
  store: Pick<Store, 'publish' | 'subscribe'>,
  { affinityMs, affinityCharacters }: Pick<RoutingSettings, 'affinityMs' | 'affinityCharacters'>,
): PromptAffinity {
  if (affinityMs === 0) return { of: () => undefined, close() {} };
  const offers = new LRUCache<string, string>({ ...entriesUpTo(mostConversations), ttl: affinityMs, ttlResolution: 0 });

  /** An entry that does not change keeps its end, so that a conversation returns to the best offer in time. */
  function remember(conversation: string, offer: string): boolean {
    if (offers.get(conversation) === offer) return false;
    offers.set(conversation, offer);
    return true;
  }

  const shared = sharedEntries(store, { channel: 'chat:affinity', schema: noticeSchema, note: remember });

  return {
    of({ head, request, model, ground }) {
      if (!hasChoice(model, ground)) return undefined;
      const chat = { accountId: head.principal?.accountId ?? '', modelId: model.id, request };
      const key = conversationKey(chat, affinityCharacters);
      if (key === undefined) return undefined;
      return {
        cachedAt: () => offers.get(key),
        served(offer, plan) {
          if (!hasCachePrice(offer) || wasTrial(offer, plan)) return;
          shared.note(key, offerKey(offer));
        },
      };
    },
    close: shared.close,
  };
}

function hasChoice({ offers }: Model, { obstacle, account }: AffineChat['ground']): boolean {
  const obstacleAt = account?.obstacle ?? obstacle;
  const callable = offers.filter(({ providerId }) => obstacleAt(providerId) === undefined);
  return callable.length > 1 && callable.some(hasCachePrice);
}

/** Without a price for cached tokens, staying saves nothing. */
const hasCachePrice = ({ pricing }: Offer): boolean => pricing['input_cache_read'] !== undefined;

const trialReasons: ReadonlySet<CandidateReason> = new Set(['explore', 'trial']);

/** A trial of another offer does not move the conversation. */
const wasTrial = (offer: Offer, { candidates }: Plan): boolean =>
  candidates.some((candidate) => candidate.offer === offer && trialReasons.has(candidate.reason));
