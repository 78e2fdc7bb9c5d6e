import { createTokenLimits, limitDecisions, limitResultOf, type TokenLimits } from '@switchyard/limits';
import { defineConfig, type Metrics, wholeNumber } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';

export const tokenLimitConfig = defineConfig({
  LIMIT_TOKENS_PER_MINUTE: {
    schema: wholeNumber(0, 1_000_000_000),
    default: '0',
    description:
      'Tokens of one key, and of one account, in any minute, prompts and answers together. 0 is no limit; keys and accounts can differ.',
  },
});

export interface TokenLimitNeeds {
  store: Store;
  metrics: Metrics;
  /** The service whose replicas share what is left when the store is away. */
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
