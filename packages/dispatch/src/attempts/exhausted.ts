import { type ErrorAttempt, type ErrorCode, GatewayError } from '@tallyport/contracts';
import { findChatProvider, findImageProvider } from '@tallyport/providers';
import { type AttemptFailure, type FailureType, isOwnKeyFault } from '../failure/attempt-failure.ts';
import type { AttemptRecord } from './outcome.ts';

/** The client's error once every candidate has failed. */
export function exhausted(failures: readonly AttemptFailure[], records: readonly AttemptRecord[]): GatewayError {
  const last = failures.at(-1)?.error;
  const code = commonCode(failures);
  return new GatewayError(code, failureMessage(code, last?.message ?? '', records), {
    attempts: errorAttempts(records),
    cause: last,
    domain: 'provider',
    provider: last?.provider,
    retryAfterMs: code === 'upstream_timeout' ? undefined : soonest(failures),
  });
}

/** The attempts as the client's error lists them. */
export const errorAttempts = (records: readonly AttemptRecord[]): ErrorAttempt[] =>
  records.map(({ provider, model, status_code: status, error_type: kind }) => ({ provider, model, status, kind }));

/** Failures of one kind keep their own code: clients wait after a rate limit, and operators replace a refused key. */
function commonCode(failures: readonly AttemptFailure[]): ErrorCode {
  if (failures.every(({ type }) => type === 'provider_timeout')) return 'upstream_timeout';
  if (failures.every(({ type }) => isRateLimit(type))) return 'providers_rate_limited';
  return failures.every(({ error }) => error.code === 'upstream_auth') ? 'upstream_auth' : 'all_providers_failed';
}

/** The provider's rate limit for the service's key or for the account's own key. */
export const isRateLimit = (type: FailureType | 'none'): boolean =>
  type === 'provider_rate_limited' || type === 'own_key_rate_limited';

function failureMessage(code: ErrorCode, last: string, records: readonly AttemptRecord[]): string {
  if (code === 'upstream_timeout') {
    return `${providersOf(records)} did not answer in time. Try again later or with another model.`;
  }
  const way = code === 'upstream_auth' ? wayOut(records) : '';
  if (records.length === 1) return `${last}${way}`;
  const refused = records.filter(({ error_type: type }) => isOwnKeyFault(type));
  const hint = refused.length === 0 ? '' : ` Your account's own keys were rejected by ${providersOf(refused)}.`;
  return `All of ${providersOf(records)} failed. Last: ${last}${way}${hint}`;
}

/** Names the settings to check if the service's own keys were refused. */
function wayOut(records: readonly AttemptRecord[]): string {
  const ours = records.filter(({ own_key: isOwn }) => isOwn !== true);
  const settings = new Set(ours.flatMap(({ provider }) => keySetting(provider) ?? []));
  return settings.size === 0
    ? ''
    : ` Check ${[...settings].join(', ')} and the credit behind it, or use another model.`;
}

const keySetting = (providerId: string): string | undefined => {
  const provider = findChatProvider(providerId) ?? findImageProvider(providerId);
  return provider === undefined || provider.auth.kind === 'none' ? undefined : `${provider.keyVariable}_API_KEY`;
};

const providersOf = (records: readonly AttemptRecord[]): string =>
  [...new Set(records.map(({ provider }) => provider))].join(', ');

function soonest(failures: readonly AttemptFailure[]): number | undefined {
  const waits = failures.flatMap(({ error }) => (error.retryAfterMs === undefined ? [] : [error.retryAfterMs]));
  return waits.length === 0 ? undefined : Math.min(...waits);
}
