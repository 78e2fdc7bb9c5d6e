import type { GatewayError } from '@switchyard/contracts';

/** The closed set of what an attempt can fail with, prefixed by whose fault it is. */
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

/** Why a request ended, as the stream termination metric names it. */
export type EndReason = 'done' | 'client_gone' | 'upstream_cut' | 'stall' | 'max_duration' | 'error' | 'shutdown';

/** Why an attempt failed: what is recorded, the client's error, and whether another offer may be tried. */
export interface AttemptFailure {
  type: FailureType;
  error: GatewayError;
  /** The provider's HTTP status, when it got that far. */
  status: number | null;
  retryable: boolean;
  endReason: EndReason;
}

/** The account's own key is to blame, so the failure says nothing about the offer. */
export const isOwnKeyFault = (type: FailureType | 'none'): boolean => type.startsWith('own_key_');
