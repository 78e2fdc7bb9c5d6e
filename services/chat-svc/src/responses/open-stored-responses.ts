import { longestSocketMs } from '@tallyport/contracts';
import type { Kit } from '@tallyport/service-kit';
import { createByteQuota, type Store } from '@tallyport/store';
import { createCompactions } from '../compaction/compactions.ts';
import { createSealKeys } from '../compaction/seal-keys.ts';
import { createConversationStore } from '../conversations/conversation-store.ts';
import type { ChatConfig } from '../config.ts';
import { storingEvents } from './events.ts';
import type { ResponseTools } from './respond.ts';
import { createStoredResponses } from './stored-responses.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Responses, interactions and conversations stored for all replicas, none if `RESPONSES_DAYS` is 0; and compactions, which
 * are not stored. They share the quota of their account.
 */
interface Stored extends Pick<
  ResponseTools,
  'compactions' | 'conversations' | 'maxConversationBytes' | 'ofSockets' | 'stored' | 'storingEvents'
> {
  storedInteractions: ResponseTools['stored'];
  maxInteractionBytes: number;
  maxStoredBytes: number;
}

export function openStoredResponses(kit: Kit<ChatConfig>, store: Store): Stored {
  const { RESPONSES_DAYS: days, RESPONSES_MAX_BYTES: maxBytes, RESPONSES_ACCOUNT_MAX_BYTES: accountBytes } = kit.config;
  const quota = createByteQuota({ store, name: 'responses', maxBytes: accountBytes });
  const ofSockets = createByteQuota({ store, name: 'socket-responses', maxBytes: accountBytes });
  const ttlMs = days * dayMs;
  const open = (kind: 'interaction' | 'response') =>
    days === 0 ? undefined : createStoredResponses({ kind, store, quota, maxBytes, ttlMs });
  return {
    stored: open('response'),
    storedInteractions: open('interaction'),
    maxInteractionBytes: maxBytes,
    maxStoredBytes: maxBytes,
    ofSockets: createStoredResponses({ kind: 'response', store, quota: ofSockets, maxBytes, ttlMs: longestSocketMs }),
    conversations: days === 0 ? undefined : createConversationStore({ store, quota, ttlMs }),
    maxConversationBytes: maxBytes,
    storingEvents: storingEvents(kit),
    compactions: createCompactions(createSealKeys(store)),
  };
}
