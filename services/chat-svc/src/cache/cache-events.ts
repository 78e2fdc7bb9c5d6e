import { afterSending, type Kit } from '@switchyard/service-kit';
import type { CacheResult, SharedRequest } from './answer-cache.ts';

export interface CacheEvents {
  /** The cache has nothing to do with it. */
  bypassed(stream: boolean): void;
  result(result: CacheResult, shared: SharedRequest): void;
  /** A kept answer could not be read; it is dropped. */
  broken(): void;
}

const results = ['hit', 'coalesced', 'miss', 'bypass', 'unreachable'] as const;
const modes = ['plain', 'stream'] as const;

export function cacheEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): CacheEvents {
  const requests = metrics.counter({
    name: 'gateway_cache_requests_total',
    help: 'Chats by what the cache did for them: answered, shared one that was being made, nothing; never asked; could not be asked.',
    labels: { result: results, mode: modes },
  });
  const dropped = metrics.counter({
    name: 'gateway_cache_entries_dropped_total',
    help: 'Kept answers that were cut off, changed or unreadable.',
  });
  const count = (result: (typeof results)[number], stream: boolean): void =>
    requests.with({ result, mode: stream ? 'stream' : 'plain' }).increment();
  return {
    bypassed: (stream) => count('bypass', stream),
    result(result, { receiver: { head, request, plan, planMs } }) {
      const stream = request.stream === true;
      count(result, stream);
      if (result !== 'hit' && result !== 'coalesced') return;
      const { requestId, principal } = head;
      const fields = { requestId, accountId: principal?.accountId, model: plan.model.id, stream, cache: result };
      afterSending(() => log.info({ ...fields, planMs: Math.round(planMs) }, 'chat answered'));
    },
    broken() {
      dropped.with().increment();
      log.warn('a kept answer could not be read and was dropped');
    },
  };
}
