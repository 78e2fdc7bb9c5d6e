import { GatewayError } from '@tallyport/contracts';
import { isUnavailable } from '@tallyport/database';

/** Never reports "unknown" or "wrong": the requested data may well exist. */
export const databaseAway = (cause?: unknown): GatewayError =>
  new GatewayError('unavailable', 'The database is not reachable right now. Try again in a moment.', {
    retryAfterMs: 1_000,
    cause,
  });

/**
 * Converts an unreachable database into `unavailable`; returns other errors unchanged. A GatewayError already says what is
 * away: another server, whose connections fail with the same codes.
 */
export const toUnavailable = (thrown: unknown): unknown =>
  !(thrown instanceof GatewayError) && isUnavailable(thrown) ? databaseAway(thrown) : thrown;

/** Wraps a function so that it throws `unavailable` while the database is not reachable. */
export const orUnavailable =
  <Input, Output>(work: (input: Input) => Promise<Output>) =>
  (input: Input): Promise<Output> =>
    work(input).catch((thrown: unknown) => {
      throw toUnavailable(thrown);
    });
