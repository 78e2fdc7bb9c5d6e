import type { RequestHead } from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';

export interface CacheSettings {
  /** Where neither the key nor the account says otherwise; 0 is never. */
  ttlSeconds: number;
  /** Answers with images too. */
  images: boolean;
}

export interface CacheQuestion {
  head: RequestHead;
  plan: Pick<Plan, 'model'>;
}

/** How long the answer may be served again; 0: not at all, neither from nor into the cache. */
export function cacheSeconds({ head, plan }: CacheQuestion, settings: CacheSettings): number {
  const { principal } = head;
  // Without an account there is nobody to keep it for.
  if (principal === undefined || asksNoCache(head)) return 0;
  if (!settings.images && mayPaint(plan)) return 0;
  return principal.cacheTtlSeconds ?? settings.ttlSeconds;
}

/** Whether an answer may have images, which are larger than words. */
export const mayPaint = ({ model }: Pick<Plan, 'model'>): boolean => model.outputModalities.includes('image');

/** `x-no-cache`, or `cache-control` with any word for "ask again" or "keep nothing". */
function asksNoCache({ headers }: Pick<RequestHead, 'headers'>): boolean {
  if (/^(true|1)$/i.test(headers['x-no-cache'] ?? '')) return true;
  return /(^|[\s,])(no-cache|no-store|max-age=0)($|[\s,;=])/i.test(headers['cache-control'] ?? '');
}
