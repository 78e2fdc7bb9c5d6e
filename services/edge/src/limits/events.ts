import { limitDecisions, type LimitScope, limitResultOf } from '@tallyport/limits';
import { type Kit, throttledLog } from '@tallyport/service-kit';

export interface LimitEvents {
  /** `alone`: this replica decided without the shared counts. */
  decided(scope: LimitScope, allowed: boolean, alone: boolean): void;
  /** An address sent too many unknown keys. */
  unknownKeyRefused(address: string): void;
}

/** Counts every decision of a limit. A flood is logged once, not per request. */
export function limitEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): LimitEvents {
  const decisions = metrics.counter(limitDecisions);
  const warn = throttledLog(log);
  return {
    decided: (scope, allowed, alone) => decisions.with({ scope, result: limitResultOf(allowed, alone) }).increment(),
    unknownKeyRefused(address) {
      decisions.with({ scope: 'unknown_keys', result: 'refused_alone' }).increment();
      warn('unknown_keys', { address }, 'too many unknown keys from an address: they are no longer looked up');
    },
  };
}
