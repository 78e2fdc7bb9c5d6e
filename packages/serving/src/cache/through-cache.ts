import type { ExchangeAnswer } from '@tallyport/bus';
import type { AnswerCache, CacheResult, CacheMiss } from './answer-cache.ts';
import { answerKey } from './answer-key.ts';
import { type CacheSettings, cacheSeconds, mayContainImages } from './cache-rules.ts';
import type { CacheEvents } from './events.ts';
import type { PlannedRequest } from './planned-request.ts';

/** Answers from the cache, or calls `make` once. */
export type ThroughCache = (
  request: PlannedRequest,
  make: (miss: CacheMiss) => Promise<ExchangeAnswer>,
) => Promise<ExchangeAnswer>;

interface ThroughCacheOptions {
  settings: CacheSettings & {
    /** The size limits of stored answers: of text, and of those that may contain images. */
    maxBytes: number;
    maxImageBytes: number;
  };
  cache: AnswerCache;
  events: CacheEvents;
  catalogueVersion(): string;
  release: string;
  onResult(result: CacheResult, request: PlannedRequest): void;
}

export function throughCache(options: ThroughCacheOptions): ThroughCache {
  const { settings, events } = options;
  return (request, make) => {
    const { exchange, plan, cache } = request;
    const seconds = cache.uncacheable ? 0 : cacheSeconds({ head: exchange.head, plan }, settings);
    const accountId = exchange.head.principal?.accountId;
    if (seconds > 0 && accountId !== undefined) return answerThrough(options, { request, accountId, seconds, make });
    events.bypassed(cache.mode);
    return make(bypass);
  };
}

const bypass: CacheMiss = { mode: 'BYPASS' };

interface CacheableRequest {
  request: PlannedRequest;
  accountId: string;
  seconds: number;
  make(miss: CacheMiss): Promise<ExchangeAnswer>;
}

async function answerThrough(
  { settings, cache, catalogueVersion, release, onResult }: ThroughCacheOptions,
  { request, accountId, seconds, make }: CacheableRequest,
): Promise<ExchangeAnswer> {
  const { exchange, plan } = request;
  const { counted, from, follow } = request.cache;
  const key = answerKey({
    accountId,
    plan,
    release,
    request: await counted(),
    catalogueVersion: catalogueVersion(),
  });
  const maxBytes = mayContainImages(plan) ? settings.maxImageBytes : settings.maxBytes;
  const ttlMs = seconds * 1000;
  const shared = { key, holder: accountId, ttlMs, maxBytes, exchange, from, follow };
  return cache.answer({ ...shared, onResult: (result) => onResult(result, request) }, make);
}
