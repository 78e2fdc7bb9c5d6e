import { GatewayError } from '@switchyard/contracts';
import { isUnavailable } from '@switchyard/database';

/** Never "unknown" and never "wrong": what is asked may well be there, and will be asked for again. */
export const databaseAway = (cause?: unknown): GatewayError =>
  new GatewayError(
    'unavailable',
    'This cannot be answered right now because the database is away. Try again in a moment.',
    {
      retryAfterMs: 1_000,
      cause,
    },
  );

/** What was thrown, or what it means where the database could not be reached. */
export const toUnavailable = (thrown: unknown): unknown => (isUnavailable(thrown) ? databaseAway(thrown) : thrown);

/** The same function, which throws `unavailable` while the database is away. */
export const orUnavailable =
  <Input, Output>(work: (input: Input) => Promise<Output>) =>
  (input: Input): Promise<Output> =>
    work(input).catch((thrown: unknown) => {
      throw toUnavailable(thrown);
    });
