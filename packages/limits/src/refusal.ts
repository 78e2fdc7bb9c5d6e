import { GatewayError } from '@switchyard/contracts';

/** Says which limit it was (a sentence) and when to come again. */
export function rateLimited(which: string, retryAfterMs: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new GatewayError(
    'rate_limit_exceeded',
    `${which} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterMs: Math.max(1, Math.ceil(retryAfterMs)) },
  );
}
