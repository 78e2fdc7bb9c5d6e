import { GatewayError } from '@tallyport/contracts';
import type { AttemptFailure, FailureType } from './attempt-failure.ts';
import { asAttemptFailure } from './classify.ts';

/** Provider failures that the key causes: with the account's own key they say nothing about the provider. */
const ownKeyTypes: Partial<Record<FailureType, FailureType>> = {
  provider_auth_failed: 'own_key_refused',
  provider_billing: 'own_key_billing',
  provider_model_not_found: 'own_key_model_not_found',
  provider_rate_limited: 'own_key_rate_limited',
};

/** The attempt that failed. `status` is the response's, or null if there was none. */
interface FailedAttempt {
  provider: { id: string };
  target: { ownKey?: true };
  status: number | null;
}

/** Classifies anything an attempt threw, and names the account's own key where that is the cause. */
export const failureOfAttempt = (thrown: unknown, { provider, target, status }: FailedAttempt): AttemptFailure =>
  withKeyOwner(asAttemptFailure(thrown, provider.id, status), target, provider.id);

/** Renames a failure that the account's own key caused; returns any other failure unchanged. */
function withKeyOwner(failure: AttemptFailure, { ownKey }: { ownKey?: true }, provider: string): AttemptFailure {
  const type = ownKey === true ? ownKeyTypes[failure.type] : undefined;
  if (type === undefined) return failure;
  const { error } = failure;
  const { code, status, retryAfterMs, detail, provider: fault } = error;
  const message = `${provider} rejected your account's own key: ${error.message}`;
  const ownKeyError = new GatewayError(code, message, {
    cause: error,
    domain: 'provider',
    status,
    retryAfterMs,
    detail,
    provider: fault,
  });
  return { ...failure, type, error: ownKeyError };
}
