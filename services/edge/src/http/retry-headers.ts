import type { GatewayError } from '@tallyport/contracts';

/** When a request that failed may be sent again, if ever. */
export function retryHeaders({ status, retryAfterMs }: GatewayError): Record<string, string> {
  if (retryAfterMs !== undefined) {
    return {
      'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))),
      'retry-after-ms': String(retryAfterMs),
    };
  }
  return status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429
    ? { 'x-should-retry': 'false' }
    : {};
}
