import type { ErrorCode } from '@tallyport/contracts';
import type { RequestHeader } from '@tallyport/endpoints';

/** The headers that every paid endpoint reads. */
export const paidHeaders: readonly RequestHeader[] = ['X-Fallback', 'X-No-Fallback', 'X-End-User', 'Idempotency-Key'];

/** Headers of every answer that a provider served. */
export const servedHeaders: readonly string[] = [
  'X-Tallyport-Provider',
  'X-Tallyport-Model',
  'X-Tallyport-Attempts',
  'X-Tallyport-Cache',
  'X-Tallyport-Idempotency',
  'Server-Timing',
];

/** Errors of every paid endpoint. */
export const paidFailures: readonly ErrorCode[] = [
  ...(['invalid_json', 'invalid_parameters', 'unsupported_parameter', 'unsupported_capability'] as const),
  ...(['context_length_exceeded', 'content_policy_violation', 'invalid_api_key', 'budget_exceeded'] as const),
  ...(['permission_denied', 'model_not_found', 'idempotency_conflict', 'request_too_large'] as const),
  ...(['unsupported_media_type', 'rate_limit_exceeded', 'providers_rate_limited', 'internal_error'] as const),
  ...(['all_providers_failed', 'upstream_error', 'upstream_auth', 'stream_truncated', 'unavailable'] as const),
  ...(['upstream_timeout', 'deadline_exceeded', 'overloaded'] as const),
];
