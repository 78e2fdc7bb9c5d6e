import { type Kit, throttledLog } from '@switchyard/service-kit';

const scopes = ['key', 'account', 'concurrency', 'address', 'unknown_keys'] as const;
const results = ['allowed', 'refused', 'allowed_alone', 'refused_alone'] as const;
export type LimitScope = (typeof scopes)[number];

export interface LimitEvents {
  /** `alone`: this replica decided without the others. */
  decided(scope: LimitScope, allowed: boolean, alone: boolean): void;
  /** Too many unknown keys came from this address. */
  strangerRefused(address: string): void;
}

/** What limits decided: each is counted, refusals are logged when there has been none for a while. */
export function limitEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): LimitEvents {
  const decisions = metrics.counter({
    name: 'gateway_rate_limit_decisions_total',
    help: 'Requests that were counted against a limit; alone: by one replica, without the others.',
    labels: { scope: scopes, result: results },
  });
  const series = new Map(
    scopes.flatMap((scope) =>
      results.map((result) => [`${scope} ${result}`, decisions.with({ scope, result })] as const),
    ),
  );
  const warn = throttledLog(log);
  return {
    decided(scope, allowed, alone) {
      series.get(`${scope} ${allowed ? 'allowed' : 'refused'}${alone ? '_alone' : ''}`)?.increment();
    },
    strangerRefused(address) {
      series.get('unknown_keys refused_alone')?.increment();
      warn('unknown_keys', { address }, 'unknown keys of an address are no longer looked up');
    },
  };
}
