import type { RequestHead } from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';

export interface CacheSettings {
  /** The default if neither the key nor the account sets it; 0 disables the cache. */
  ttlSeconds: number;
  /** Whether answers with images are cached too. */
  images: boolean;
}

interface ModelRequest {
  head: RequestHead;
  plan: Pick<Plan, 'model'>;
}

/** For how many seconds the answer may be reused; 0 means that the cache is neither read nor written. */
export function cacheSeconds({ head, plan }: ModelRequest, settings: CacheSettings): number {
  const { principal } = head;
  // Answers are shared within an account only.
  if (principal === undefined || asksNoCache(head)) return 0;
  if (!settings.images && mayContainImages(plan)) return 0;
  return principal.cacheTtlSeconds ?? settings.ttlSeconds;
}

/** Whether an answer may contain images, which are larger than text. */
export const mayContainImages = ({ model }: Pick<Plan, 'model'>): boolean => model.outputModalities.includes('image');

/** `x-no-cache`, or a `cache-control` that forbids stored answers. */
function asksNoCache({ headers }: Pick<RequestHead, 'headers'>): boolean {
  if (/^(true|1)$/i.test(headers['x-no-cache'] ?? '')) return true;
  return /(^|[\s,])(no-cache|no-store|max-age=0)($|[\s,;=])/i.test(headers['cache-control'] ?? '');
}
