import { createTokenLimits, limitDecisions, limitResultOf, type TokenLimits } from '@tallyport/limits';
import type { Metrics } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';

interface TokenLimitTools {
  store: Store;
  metrics: Metrics;
  /** Replicas of this service share the remainder while the store is unavailable. */
  service: string;
}

/** Limits the tokens per minute of keys and accounts, summed over all services. */
export function openTokenLimits(defaultLimit: number, { store, metrics, service }: TokenLimitTools): TokenLimits {
  const decisions = metrics.counter(limitDecisions);
  return createTokenLimits({
    store,
    group: service,
    defaultLimit,
    onDecision: (scope, allowed, alone) => decisions.with({ scope, result: limitResultOf(allowed, alone) }).increment(),
  });
}
