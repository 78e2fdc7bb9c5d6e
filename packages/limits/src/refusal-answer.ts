import type { TokenRefusal } from './token-limits.ts';

/** How an API states a refusal. */
export interface RefusalForm {
  status: number;
  body: unknown;
}

/** Turns a refusal into a response on the bus. As an error it would lose its headers. */
export function refusalAnswer({ error, headers }: TokenRefusal, form: RefusalForm) {
  const body = Buffer.from(JSON.stringify(form.body));
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
  return { head: { status: form.status, headers: responseHeaders }, body };
}
