import type { Model, Principal } from '@tallyport/contracts';
import type { PromptReuse } from '@tallyport/providers';
import { entriesUpTo, type Store } from '@tallyport/store';
import type { ChatRequest } from '@tallyport/wire';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { beginningKey, nameKey } from '../affinity/conversation-key.ts';
import { sharedEntries } from '../affinity/shared-entries.ts';

/**
 * Remembers when prompts were used, to decide what is worth caching and for how long. Replicas send what they see to each
 * other; no request waits for that, and an entry may be lost at any time.
 */
export interface PromptUses {
  /** `undefined` unless the caller turned caching on. Call it once for each request: it counts as a use. */
  of(chat: CachedChat): PromptReuse | undefined;
  close(): void;
}

interface CachedChat {
  principal: Principal | undefined;
  model: Pick<Model, 'id'>;
  request: ChatRequest;
}

interface Use {
  at: number;
  /** A pause longer than five minutes was seen; pauses over an hour end the entry. */
  isSlow: boolean;
}

const mostPrompts = 20_000;
const minute = 60_000;
/** Vendors keep a prompt for this long after its last use. */
const shortLifetime = 5 * minute;
const longLifetime = 60 * minute;
/** Uses within this time after another one are not noted, so that a busy conversation costs no messages. */
const resolution = minute;
const noticeSchema = z.tuple([z.string().max(64)]);

interface UsesSettings {
  /** As many characters of a prompt as identify it. */
  characters: number;
  now?: () => number;
}

export function openPromptUses(
  store: Pick<Store, 'publish' | 'subscribe'>,
  { characters, now = () => Date.now() }: UsesSettings,
): PromptUses {
  const uses = new LRUCache<string, Use>({
    ...entriesUpTo(mostPrompts),
    ttl: longLifetime,
    ttlResolution: 0,
    perf: { now },
  });

  function note(key: string): boolean {
    const last = uses.get(key);
    const at = now();
    if (last !== undefined && at - last.at < resolution) return false;
    uses.set(key, { at, isSlow: last !== undefined && (last.isSlow || isPause(at - last.at)) });
    return true;
  }

  const shared = sharedEntries(store, { channel: 'chat:prompts', schema: noticeSchema, note });

  /** Returns the use before this one. */
  function use(key: string): Use | undefined {
    const last = uses.get(key);
    shared.note(key);
    return last;
  }

  return {
    of({ principal, model, request }) {
      if (principal?.promptCaching !== 'auto') return undefined;
      const chat = { accountId: principal.accountId, modelId: model.id, request };
      const beginning = beginningKey(chat, characters);
      const conversation = nameKey(chat) ?? beginning;
      const last = beginning === undefined ? undefined : use(beginning);
      if (conversation !== undefined && conversation !== beginning) use(conversation);
      const isSlow = conversation !== undefined && uses.get(conversation)?.isSlow === true;
      const kept = isSlow ? longLifetime : shortLifetime;
      return { lifetime: isSlow ? '1h' : '5m', isShared: last !== undefined && now() - last.at <= kept };
    },
    close: shared.close,
  };
}

/** The time of a use is exact to the resolution, so a pause was longer than five minutes in any case. */
const isPause = (ms: number): boolean => ms > shortLifetime + resolution;
