import { createTokenLimits, limitDecisions, limitResultOf, type Replicas, type TokenLimits } from '@tallyport/limits';
import type { Metrics } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';

interface TokenLimitTools {
  store: Store;
  metrics: Metrics;
  /** They share the remainder while the store is unavailable. */
  replicas: Replicas;
}

/** Limits the tokens per minute of keys and accounts, summed over all services. */
export function openTokenLimits(defaultLimit: number, { store, metrics, replicas }: TokenLimitTools): TokenLimits {
  const decisions = metrics.counter(limitDecisions);
  return createTokenLimits({
    store,
    replicas,
    defaultLimit,
    onDecision: (scope, allowed, alone) => decisions.with({ scope, result: limitResultOf(allowed, alone) }).increment(),
  });
}
