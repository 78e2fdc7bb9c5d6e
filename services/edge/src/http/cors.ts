import type { ServerResponse } from 'node:http';
import { securityHeaders } from './security-headers.ts';

/**
 * Any page may call the API: access needs a key that the page holds, never a cookie. That is also why credentials are
 * not allowed.
 */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [
    'x-request-id',
    'x-tallyport-provider',
    'x-tallyport-model',
    'x-tallyport-cache',
    'x-tallyport-attempts',
    'x-tallyport-idempotency',
    'x-tallyport-count',
    'x-tallyport-lane',
    'server-timing',
    'warning',
    'retry-after',
    'retry-after-ms',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'ratelimit',
    'ratelimit-policy',
    'x-ratelimit-limit-requests',
    'x-ratelimit-limit-tokens',
    'x-ratelimit-remaining-requests',
    'x-ratelimit-remaining-tokens',
    'x-ratelimit-reset-requests',
    'x-ratelimit-reset-tokens',
    'anthropic-ratelimit-requests-limit',
    'anthropic-ratelimit-requests-remaining',
    'anthropic-ratelimit-requests-reset',
    'anthropic-ratelimit-tokens-limit',
    'anthropic-ratelimit-tokens-remaining',
    'anthropic-ratelimit-tokens-reset',
  ].join(', '),
} as const;

/** Answers a CORS preflight. */
export function answerPreflight(response: ServerResponse, methods: readonly string[]): void {
  response.writeHead(204, {
    ...corsHeaders,
    ...securityHeaders,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': '*, authorization',
    'access-control-max-age': '86400',
  });
  response.end();
}
