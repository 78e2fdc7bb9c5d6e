import { errorBody } from '@tallyport/contracts';
import type { TokenRefusal } from './token-limits.ts';

/** Turns a refusal into a response on the bus. As an error it would lose its headers. */
export function refusalAnswer({ error, headers }: TokenRefusal) {
  const body = Buffer.from(JSON.stringify(errorBody(error)));
  const { retryAfterMs } = error;
  const responseHeaders = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    ...(retryAfterMs !== undefined && {
      'retry-after': String(Math.ceil(retryAfterMs / 1000)),
      'retry-after-ms': String(retryAfterMs),
    }),
  };
  return { head: { status: error.status, headers: responseHeaders }, body };
}
