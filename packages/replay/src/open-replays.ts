import type { Kit } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';
import type { ReplayConfig } from './config.ts';
import { createReplays, type Replays } from './replays.ts';
import { storedResults } from './stored-results.ts';

export interface ReplayNeeds {
  store: Store;
  /** Said in a silent stream. */
  keepAliveMs: number;
}

const results = ['new', 'joined', 'replayed', 'conflict', 'lost', 'unprotected'] as const;

/** Requests with an Idempotency-Key, on all replicas together. */
export function openReplays({ config, metrics }: Kit<ReplayConfig>, { store, keepAliveMs }: ReplayNeeds): Replays {
  const requests = metrics.counter({
    name: 'gateway_idempotent_requests_total',
    help: 'Requests with an Idempotency-Key: worked on; joined to one that ran; answered from the store; refused; answer lost and made anew; without the store.',
    labels: { result: results },
  });
  return createReplays({
    stored: storedResults(store, config.IDEMPOTENCY_TTL_SECONDS * 1000),
    maxBytes: config.IDEMPOTENCY_MAX_BYTES,
    maxHeldBytes: config.IDEMPOTENCY_MAX_HELD_BYTES,
    keepAliveMs,
    onResult: (result) => requests.with({ result }).increment(),
  });
}
