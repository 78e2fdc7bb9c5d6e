import type { RequestHead } from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';

export interface CacheSettings {
  /** Where neither the key nor the account says otherwise; 0 is never. */
  ttlSeconds: number;
  /** Answers with images too. */
  images: boolean;
}

interface ModelRequest {
  head: RequestHead;
  plan: Pick<Plan, 'model'>;
}

/** Seconds the answer may be served again; 0: the cache is neither read nor written. */
export function cacheSeconds({ head, plan }: ModelRequest, settings: CacheSettings): number {
  const { principal } = head;
  // Answers are shared within an account only.
  if (principal === undefined || asksNoCache(head)) return 0;
  if (!settings.images && mayPaint(plan)) return 0;
  return principal.cacheTtlSeconds ?? settings.ttlSeconds;
}

/** Whether an answer may have images, which are larger than words. */
export const mayPaint = ({ model }: Pick<Plan, 'model'>): boolean => model.outputModalities.includes('image');

/** `x-no-cache`, or a `cache-control` that forbids stored answers. */
function asksNoCache({ headers }: Pick<RequestHead, 'headers'>): boolean {
  if (/^(true|1)$/i.test(headers['x-no-cache'] ?? '')) return true;
  return /(^|[\s,])(no-cache|no-store|max-age=0)($|[\s,;=])/i.test(headers['cache-control'] ?? '');
}
