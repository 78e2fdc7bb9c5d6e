import type { Kit } from '@tallyport/service-kit';
import { createByteQuota, type Store } from '@tallyport/store';
import type { ChatConfig } from '../config.ts';
import { storingEvents } from './events.ts';
import type { ResponseTools } from './respond.ts';
import { createStoredResponses } from './stored-responses.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Responses stored for all replicas; none if `RESPONSES_DAYS` is 0. */
export function openStoredResponses(
  kit: Kit<ChatConfig>,
  store: Store,
): Pick<ResponseTools, 'stored' | 'storingEvents'> {
  const { RESPONSES_DAYS: days, RESPONSES_MAX_BYTES: maxBytes, RESPONSES_ACCOUNT_MAX_BYTES: accountBytes } = kit.config;
  const quota = createByteQuota({ store, name: 'responses', maxBytes: accountBytes });
  return {
    stored: days === 0 ? undefined : createStoredResponses({ store, quota, maxBytes, ttlMs: days * dayMs }),
    storingEvents: storingEvents(kit),
  };
}
