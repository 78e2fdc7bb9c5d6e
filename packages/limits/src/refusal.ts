import { GatewayError } from '@tallyport/contracts';

/** An error with the limit that was reached, as a sentence, and the time to wait. */
export function rateLimited(which: string, retryAfterMs: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new GatewayError(
    'rate_limit_exceeded',
    `${which} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterMs: Math.max(1, Math.ceil(retryAfterMs)) },
  );
}
