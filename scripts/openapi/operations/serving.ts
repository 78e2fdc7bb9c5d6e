import type { ErrorCode } from '@tallyport/contracts';
import type { Parameter, RequestHeader } from '@tallyport/endpoints';
import { requestHeaders } from './request-headers.ts';

/** Headers of every answer that a provider served. */
export const servedHeaders = [
  'X-Tallyport-Provider',
  'X-Tallyport-Model',
  'X-Tallyport-Attempts',
  'X-Tallyport-Cache',
  'X-Tallyport-Idempotency',
  'Server-Timing',
];

/** Of APIs that some vendors have as well. */
export const laneHeader = 'X-Tallyport-Lane';

/** Of operations that only count tokens. */
export const countHeader = 'X-Tallyport-Count';

/** What an estimate is. */
export const counting = `Anthropic, Google and OpenAI count for their own models, and AWS Bedrock for Claude; nothing is billed. Otherwise, and if the
vendor does not answer within two seconds, it is an estimate: about four characters per token, and 1,000 tokens per image.`;

/** Errors of counting in the APIs of other vendors. */
export const countFailures: readonly ErrorCode[] = [
  ...(['invalid_json', 'invalid_parameters', 'unsupported_parameter', 'invalid_api_key'] as const),
  ...(['permission_denied', 'model_not_found', 'rate_limit_exceeded'] as const),
];

/** Errors of the operations that call providers. */
export const serving: readonly ErrorCode[] = [
  ...(['invalid_json', 'invalid_parameters', 'unsupported_parameter', 'unsupported_capability'] as const),
  ...(['context_length_exceeded', 'content_policy_violation', 'invalid_api_key', 'budget_exceeded'] as const),
  ...(['permission_denied', 'model_not_found', 'idempotency_conflict', 'request_too_large'] as const),
  ...([
    'unsupported_media_type',
    'rate_limit_exceeded',
    'providers_rate_limited',
    'internal_error',
    'all_providers_failed',
  ] as const),
  ...(['upstream_error', 'upstream_auth', 'stream_truncated', 'unavailable', 'upstream_timeout'] as const),
  ...(['deadline_exceeded', 'overloaded'] as const),
];

const header = (name: RequestHeader): Parameter => {
  const found = requestHeaders.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no header ${name}.`);
  return found;
};

export const fallback = header('X-Fallback');
export const noFallback = header('X-No-Fallback');
export const noCache = header('X-No-Cache');
export const once: readonly Parameter[] = [header('Idempotency-Key'), header('Last-Event-ID')];
