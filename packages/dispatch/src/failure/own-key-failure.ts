import { GatewayError } from '@switchyard/contracts';
import type { AttemptFailure, FailureType } from './attempt-failure.ts';

/** What of a provider's faults is the key's: with the account's own key it says nothing about the provider. */
const ofOwnKey: Partial<Record<FailureType, FailureType>> = {
  provider_auth_failed: 'own_key_refused',
  provider_billing: 'own_key_billing',
  provider_model_not_found: 'own_key_model_not_found',
  provider_rate_limited: 'own_key_rate_limited',
};

/** A failure as it is with the target's key: one that the account's own key is to blame for is named so. */
export function withKeyOwner(failure: AttemptFailure, { ownKey }: { ownKey?: true }, provider: string): AttemptFailure {
  const type = ownKey === true ? ofOwnKey[failure.type] : undefined;
  if (type === undefined) return failure;
  const { error } = failure;
  const { code, status, retryAfterMs, detail } = error;
  const message = `${provider} did not take your account's own key: ${error.message}`;
  const told = new GatewayError(code, message, { cause: error, domain: 'provider', status, retryAfterMs, detail });
  return { ...failure, type, error: told };
}
