import { afterSending, type Kit } from '@tallyport/service-kit';
import type { CacheResult } from './answer-cache.ts';
import { type CacheMode, cacheModes, type PlannedRequest } from './planned-request.ts';

export interface CacheEvents {
  /** The request bypasses the cache. */
  bypassed(mode: CacheMode): void;
  result(result: CacheResult, request: PlannedRequest): void;
  /** A stored answer could not be read and was dropped. */
  broken(): void;
}

const results = ['hit', 'coalesced', 'miss', 'bypass', 'unreachable'] as const;

export function cacheEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): CacheEvents {
  const requests = metrics.counter({
    name: 'gateway_cache_requests_total',
    help: 'Requests by cache result: answered from the cache, joined one in progress, missed, bypassed the cache, or found the store unreachable.',
    labels: { result: results, mode: cacheModes },
  });
  const dropped = metrics.counter({
    name: 'gateway_cache_entries_dropped_total',
    help: 'Cached answers that were dropped because they were cut off, modified or unreadable.',
  });
  const count = (result: (typeof results)[number], mode: CacheMode): void =>
    requests.with({ result, mode }).increment();
  return {
    bypassed: (mode) => count('bypass', mode),
    result(result, { exchange: { head }, plan, planMs, cache: { mode } }) {
      count(result, mode);
      if (result !== 'hit' && result !== 'coalesced') return;
      const { requestId, principal } = head;
      const fields = { requestId, accountId: principal?.accountId, model: plan.model.id, cache: result };
      const details = mode === 'image' ? fields : { ...fields, stream: mode === 'stream' };
      const message = mode === 'image' ? 'images answered' : 'chat answered';
      afterSending(() => log.info({ ...details, planMs: Math.round(planMs) }, message));
    },
    broken() {
      dropped.with().increment();
      log.warn('a cached answer could not be read and was dropped');
    },
  };
}
