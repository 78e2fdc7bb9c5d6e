import { errorBody } from '@switchyard/contracts';
import type { TokenRefusal } from './token-limits.ts';

/** A refusal as an answer on the bus: as an error its headers would be lost. */
export function refusalAnswer({ error, headers }: TokenRefusal) {
  const body = Buffer.from(JSON.stringify(errorBody(error)));
  const { retryAfterMs } = error;
  const told = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    ...(retryAfterMs !== undefined && {
      'retry-after': String(Math.ceil(retryAfterMs / 1000)),
      'retry-after-ms': String(retryAfterMs),
    }),
  };
  return { head: { status: error.status, headers: told }, body };
}
