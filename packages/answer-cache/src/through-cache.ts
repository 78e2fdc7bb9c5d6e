import type { ExchangeAnswer } from '@switchyard/bus';
import { asksNoFallback } from '@switchyard/dispatch';
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

export interface ThroughCacheOptions {
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

export const throughCache =
  ({ settings, cache, events, ...options }: ThroughCacheOptions): ThroughCache =>
  async (request, make) => {
    const { exchange, plan, mode } = request;
    const { head } = exchange;
    const seconds = request.uncacheable ? 0 : cacheSeconds({ head, plan }, settings);
    if (seconds === 0 || head.principal === undefined) {
      events.bypassed(mode);
      return make({ mode: 'BYPASS' });
    }
    const { accountId } = head.principal;
    const key = answerKey({
      accountId,
      plan,
      release: options.release,
      request: await request.counted(),
      noFallback: asksNoFallback(head),
      catalogueVersion: options.catalogueVersion(),
    });
    const maxBytes = mayContainImages(plan) ? settings.maxImageBytes : settings.maxBytes;
    const onResult = (result: CacheResult): void => options.onResult(result, request);
    const { from, follow } = request;
    return cache.answer(
      { key, holder: accountId, ttlMs: seconds * 1000, maxBytes, exchange, onResult, from, follow },
      make,
    );
  };
