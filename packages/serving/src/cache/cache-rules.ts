import type { RequestHead } from '@tallyport/contracts';
import type { Plan } from '@tallyport/dispatch';

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
  if (principal === undefined || plan.model.cached === false) return 0;
  const seconds = principal.cacheTtlSeconds ?? settings.ttlSeconds;
  if (seconds === 0 || asksNoCache(head)) return 0;
  return settings.images || !mayContainImages(plan) ? seconds : 0;
}

/** Whether an answer may contain images, which are larger than text. */
export const mayContainImages = ({ model }: Pick<Plan, 'model'>): boolean => model.outputModalities.includes('image');

/** `x-no-cache`, or a `cache-control` that forbids stored answers. */
function asksNoCache({ headers }: Pick<RequestHead, 'headers'>): boolean {
  const { 'x-no-cache': noCache, 'cache-control': control } = headers;
  if (noCache !== undefined && /^(true|1)$/i.test(noCache)) return true;
  return control !== undefined && /(^|[\s,])(no-cache|no-store|max-age=0)($|[\s,;=])/i.test(control);
}
