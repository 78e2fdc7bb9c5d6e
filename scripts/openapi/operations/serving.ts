import type { ErrorCode } from '@switchyard/contracts';
import { z } from 'zod';
import type { Parameter } from '../operation.ts';

/** What every answer of a provider carries. */
export const servedHeaders = [
  'X-Switchyard-Provider',
  'X-Switchyard-Model',
  'X-Switchyard-Attempts',
  'X-Switchyard-Cache',
  'X-Switchyard-Idempotency',
  'Server-Timing',
];

/** What can go wrong where providers are called. */
export const serving: readonly ErrorCode[] = [
  ...(['invalid_json', 'invalid_parameters', 'unsupported_parameter', 'unsupported_capability'] as const),
  ...(['context_length_exceeded', 'content_policy_violation', 'invalid_api_key', 'budget_exceeded'] as const),
  ...(['permission_denied', 'model_not_found', 'idempotency_conflict', 'request_too_large'] as const),
  ...(['unsupported_media_type', 'rate_limit_exceeded', 'internal_error', 'all_providers_failed'] as const),
  ...(['upstream_error', 'upstream_auth', 'stream_truncated', 'unavailable', 'upstream_timeout'] as const),
  ...(['deadline_exceeded', 'overloaded'] as const),
];

export const noFallback: Parameter = {
  name: 'X-No-Fallback',
  in: 'header',
  description: '`true`: only the provider that the model names, however ill it is.',
  schema: z.enum(['true', 'false']),
};

export const noCache: Parameter = {
  name: 'X-No-Cache',
  in: 'header',
  description: '`true`: neither from nor into the cache. `Cache-Control: no-cache` says the same.',
  schema: z.enum(['true', 'false']),
};

export const once: readonly Parameter[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Your name for this request, 1 to 255 visible characters: sent again within a day it is answered with what was made the first time, and not paid for twice. With another body it is 409 `idempotency_conflict`.',
    schema: z.string(),
  },
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'With Idempotency-Key and `stream`: the last event you have. The stream goes on behind it.',
    schema: z.string(),
  },
];
