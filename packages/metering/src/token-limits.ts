import { createTokenLimits, limitDecisions, limitResultOf, type TokenLimits } from '@switchyard/limits';
import type { Metrics } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';

interface TokenLimitNeeds {
  store: Store;
  metrics: Metrics;
  /** Its replicas share what is left while the store is away. */
  service: string;
}

/** Tokens per minute of keys and accounts, counted for all services together. */
export function openTokenLimits(defaultLimit: number, { store, metrics, service }: TokenLimitNeeds): TokenLimits {
  const decisions = metrics.counter(limitDecisions);
  return createTokenLimits({
    store,
    group: service,
    defaultLimit,
    onDecision: (scope, allowed, alone) => decisions.with({ scope, result: limitResultOf(allowed, alone) }).increment(),
  });
}
