import { type ErrorAttempt, GatewayError } from '@switchyard/contracts';
import { type AttemptFailure, isOwnKeyFault } from '../failure/attempt-failure.ts';
import type { AttemptRecord } from './outcome.ts';

/** The client's error when no offer is left to try. */
export function exhausted(failures: readonly AttemptFailure[], records: readonly AttemptRecord[]): GatewayError {
  const attempts: ErrorAttempt[] = records.map(({ provider, status_code: status, error_type: kind }) => ({
    provider,
    status,
    kind,
  }));
  const cause = failures.at(-1)?.error;
  if (failures.every(({ type }) => type === 'provider_timeout')) {
    const message = `${providersOf(records)} did not answer in time. Try again later or with another model.`;
    return new GatewayError('upstream_timeout', message, { attempts, cause, domain: 'provider' });
  }
  const retryAfterMs = soonest(failures);
  // A key that providers refuse is for its owner to mend: said apart from providers that are ill.
  const refused = failures.every(({ error }) => error.code === 'upstream_auth');
  return new GatewayError(refused ? 'upstream_auth' : 'all_providers_failed', failureMessage(failures, records), {
    attempts,
    cause,
    domain: 'provider',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function failureMessage(failures: readonly AttemptFailure[], records: readonly AttemptRecord[]): string {
  const last = failures.at(-1)?.error.message ?? '';
  if (records.length === 1) return last;
  const refused = records.filter(({ error_type: type }) => isOwnKeyFault(type));
  const hint = refused.length === 0 ? '' : ` Your account's own keys were not taken by ${providersOf(refused)}.`;
  return `All of ${providersOf(records)} failed. Last: ${last}${hint}`;
}

const providersOf = (records: readonly AttemptRecord[]): string =>
  [...new Set(records.map(({ provider }) => provider))].join(', ');

function soonest(failures: readonly AttemptFailure[]): number | undefined {
  const waits = failures.flatMap(({ error }) => (error.retryAfterMs === undefined ? [] : [error.retryAfterMs]));
  return waits.length === 0 ? undefined : Math.min(...waits);
}
