import { limitDecisions, type LimitScope, limitResultOf } from '@switchyard/limits';
import { type Kit, throttledLog } from '@switchyard/service-kit';

export interface LimitEvents {
  /** `alone`: this replica decided without the others. */
  decided(scope: LimitScope, allowed: boolean, alone: boolean): void;
  /** Too many unknown keys came from this address. */
  strangerRefused(address: string): void;
}

/** What limits decided: each is counted; a flood is logged, its requests are not. */
export function limitEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): LimitEvents {
  const decisions = metrics.counter(limitDecisions);
  const warn = throttledLog(log);
  return {
    decided: (scope, allowed, alone) => decisions.with({ scope, result: limitResultOf(allowed, alone) }).increment(),
    strangerRefused(address) {
      decisions.with({ scope: 'unknown_keys', result: 'refused_alone' }).increment();
      warn('unknown_keys', { address }, 'unknown keys of an address are no longer looked up');
    },
  };
}
