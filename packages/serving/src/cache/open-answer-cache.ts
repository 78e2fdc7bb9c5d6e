import type { Metering } from '../metering/index.ts';
import type { Kit } from '@tallyport/service-kit';
import { createByteQuota, type Store } from '@tallyport/store';
import { createAnswerCache } from './answer-cache.ts';
import type { AnswerCacheConfig } from './config.ts';
import { cacheEvents } from './events.ts';
import { createStoredAnswers } from './stored-answers.ts';
import { throughCache, type ThroughCache } from './through-cache.ts';

interface AnswerCacheTools {
  store: Store;
  metering: Pick<Metering, 'cached'>;
  /** The version of the catalogue in force. */
  catalogueVersion(): string;
  /** The version of the code that makes answers. */
  release: string;
}

/** The memory limit for all streams being recorded. */
const maxRecordedBytes = 64 * 1024 * 1024;

/** Shares answers that are stored or in progress, among all replicas. */
export function openAnswerCache(kit: Kit<AnswerCacheConfig>, tools: AnswerCacheTools): ThroughCache {
  const { config } = kit;
  const { store, metering, catalogueVersion, release } = tools;
  const events = cacheEvents(kit);
  const quota = createByteQuota({ store, name: 'answers', maxBytes: config.CACHE_ACCOUNT_MAX_BYTES });
  const stored = createStoredAnswers({ store, quota, onBroken: events.broken });
  const waitMs = config.CACHE_WAIT_MS;
  return throughCache({
    settings: {
      ttlSeconds: config.CACHE_TTL_SECONDS,
      images: config.CACHE_IMAGES,
      maxBytes: config.CACHE_MAX_BYTES,
      maxImageBytes: config.CACHE_IMAGES_MAX_BYTES,
    },
    cache: createAnswerCache({ stored, maxRecordedBytes, waitMs, onBroken: events.broken }),
    events,
    catalogueVersion,
    release,
    onResult(result, request) {
      events.result(result, request);
      if (result !== 'hit' && result !== 'coalesced') return;
      const { exchange, operation, endUser, plan, planMs, cache } = request;
      const stream = cache.mode === 'stream';
      metering.cached({ head: exchange.head, operation, endUser, plan, planMs, stream, cache: result });
    },
  });
}
