import type { Principal, RequestHead } from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';
import type { ChatRequest } from '@switchyard/wire';

export interface CacheSettings {
  /** Where neither the key nor the account says otherwise; 0 is never. */
  ttlSeconds: number;
  /** Of one answer, as it is kept. */
  maxBytes: number;
  /** Answers with images too. */
  images: boolean;
}

/** Hashing more than this costs more than it is likely to bring. */
export const mostRequestBytes = 1024 * 1024;

export interface CacheQuestion {
  head: RequestHead;
  request: ChatRequest;
  plan: Pick<Plan, 'model'>;
  /** Of the body as it came. */
  bodyBytes: number;
}

/** How long the answer may be served again; 0: not at all, neither from nor into the cache. */
export function cacheSeconds({ head, request, plan, bodyBytes }: CacheQuestion, settings: CacheSettings): number {
  const { principal } = head;
  // Without an account there is nobody to keep it for.
  if (principal === undefined || asksNoCache(head) || bodyBytes > mostRequestBytes) return 0;
  // The vendor is to file this very answer.
  if (request.store === true) return 0;
  if (!settings.images && plan.model.outputModalities.includes('image')) return 0;
  return ttlOf(principal, settings);
}

const ttlOf = ({ cacheTtlSeconds }: Principal, { ttlSeconds }: CacheSettings): number => cacheTtlSeconds ?? ttlSeconds;

/** `x-no-cache`, or `cache-control` with any word for "ask again" or "keep nothing". */
function asksNoCache({ headers }: Pick<RequestHead, 'headers'>): boolean {
  if (/^(true|1)$/i.test(headers['x-no-cache'] ?? '')) return true;
  return /(^|[\s,])(no-cache|no-store|max-age=0)($|[\s,;=])/i.test(headers['cache-control'] ?? '');
}
