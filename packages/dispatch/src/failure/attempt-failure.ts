import type { GatewayError } from '@tallyport/contracts';

/** Every way an attempt can fail, prefixed with whose fault it is. */
export type FailureType =
  | 'caller_invalid_request'
  | 'caller_cancelled'
  | 'policy_content_filter'
  | 'own_key_refused'
  | 'own_key_billing'
  | 'own_key_model_not_found'
  | 'own_key_rate_limited'
  | 'provider_auth_failed'
  | 'provider_billing'
  | 'provider_model_not_found'
  | 'provider_rate_limited'
  | 'provider_overloaded'
  | 'provider_server_error'
  | 'provider_timeout'
  | 'provider_connection_failed'
  | 'provider_bad_response'
  | 'provider_truncated'
  | 'gateway_internal';

/** Why a request ended, as in the stream termination metric. */
export type EndReason = 'done' | 'client_gone' | 'upstream_cut' | 'stall' | 'max_duration' | 'error' | 'shutdown';

/** Why an attempt failed: the recorded type, the client's error, and whether another offer may be tried. */
export interface AttemptFailure {
  type: FailureType;
  error: GatewayError;
  /** The HTTP status of the provider, if it responded. */
  status: number | null;
  retryable: boolean;
  endReason: EndReason;
}

/** The provider caused the failure, which counts against the offer. */
export const isProviderFault = (type: FailureType | 'none'): boolean => type.startsWith('provider_');

/** The account's own key caused the failure, so it says nothing about the offer. */
export const isOwnKeyFault = (type: FailureType | 'none'): boolean => type.startsWith('own_key_');
