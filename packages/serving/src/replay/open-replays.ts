import type { Kit } from '@tallyport/service-kit';
import { createByteQuota, type Store } from '@tallyport/store';
import type { ReplayConfig } from './config.ts';
import { createReplays, type Replays } from './replays.ts';
import { storedResults } from './stored-results.ts';

interface ReplayTools {
  store: Store;
  /** How long a stream may be silent before a comment is sent. */
  keepAliveMs: number;
}

/** Bytes of answers that one process holds while they are made. Beyond it they are not kept. */
const mostHeldBytes = 256 * 1024 ** 2;

const results = ['new', 'joined', 'replayed', 'conflict', 'lost', 'unprotected'] as const;

/** Handles requests with an Idempotency-Key, consistently over all replicas. */
export function openReplays({ config, metrics }: Kit<ReplayConfig>, { store, keepAliveMs }: ReplayTools): Replays {
  const requests = metrics.counter({
    name: 'gateway_idempotent_requests_total',
    help: 'Requests with an Idempotency-Key: handled, joined to a running one, replayed from the store, refused, made again because the answer was lost, or handled without the store.',
    labels: { result: results },
  });
  const quota = createByteQuota({ store, name: 'idempotent', maxBytes: config.IDEMPOTENCY_ACCOUNT_MAX_BYTES });
  return createReplays({
    stored: storedResults({ store, quota, ttlMs: config.IDEMPOTENCY_TTL_SECONDS * 1000 }),
    maxBytes: config.IDEMPOTENCY_MAX_BYTES,
    maxHeldBytes: mostHeldBytes,
    keepAliveMs,
    onResult: (result) => requests.with({ result }).increment(),
  });
}
