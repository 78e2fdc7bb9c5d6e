import type { ErrorCode } from '@tallyport/contracts';
import { prefixFallbacks } from '@tallyport/dispatch';
import { z } from 'zod';
import type { Parameter } from '../operation.ts';

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

export const fallback: Parameter = {
  name: 'X-Fallback',
  in: 'header',
  description:
    'When another provider may answer a model with a prefix, such as `openai/gpt-6-luna`. `unhealthy`: only instead of an unhealthy offer; `any-failure`: also after a single failure. Default: the setting `ROUTING_PREFIX_FALLBACK`. `X-No-Fallback: true` wins over it.',
  schema: z.enum(prefixFallbacks),
};

export const noFallback: Parameter = {
  name: 'X-No-Fallback',
  in: 'header',
  description: '`true`: use only the provider named in the model, even if it is unhealthy.',
  schema: z.enum(['true', 'false']),
};

export const noCache: Parameter = {
  name: 'X-No-Cache',
  in: 'header',
  description: '`true`: neither read nor write the cache. `Cache-Control: no-cache` does the same.',
  schema: z.enum(['true', 'false']),
};

export const once: readonly Parameter[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Your id for this request, 1 to 255 visible characters. The same request sent again within a day gets the first answer and is not billed twice. With another body the answer is 409 `idempotency_conflict`.',
    schema: z.string(),
  },
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'With Idempotency-Key and `stream`: the last event you received. The stream continues after it.',
    schema: z.string(),
  },
];
