import { errorTable, type ErrorCode } from '@tallyport/contracts';
import type { JsonSchema } from './schema-book.ts';

const text = { type: 'string' };
const number = { type: 'integer' };

const header = (description: string, schema: JsonSchema = text) => ({ description, schema });

export const headers: Readonly<Record<string, ReturnType<typeof header>>> = {
  'X-Request-Id': header('Sent with every answer. It is the id of your request if you sent a valid one.'),
  'Retry-After': header('Seconds to wait before a retry.', number),
  'WWW-Authenticate': header('How to authenticate.'),
  RateLimit: header('What is left of each limit, and for how many seconds: `"requests";r=50;t=30`.'),
  'RateLimit-Policy': header('The limits: `"requests";q=100;w=60` is 100 requests in 60 seconds.'),
  'RateLimit-Limit': header('Requests per minute.', number),
  'RateLimit-Remaining': header('Requests left.', number),
  'RateLimit-Reset': header('Seconds until requests are allowed again.', number),
  ETag: header('Send it in If-None-Match to get 304 while nothing changed.'),
  'X-Tallyport-Provider': header('The provider that served. Streams that waited for 10 s name it in `metadata` only.'),
  'X-Tallyport-Model': header('The `<provider>/<model>` that served.'),
  'X-Tallyport-Attempts': header('Number of provider calls.', number),
  'X-Tallyport-Cache': header(
    '`HIT`: served from the cache, free of charge. `MISS`: served by a provider and cached. `BYPASS`: not cacheable.',
    { enum: ['HIT', 'MISS', 'BYPASS'] },
  ),
  'X-Tallyport-Lane': header("`native` if the vendor's own response is passed on unchanged.", { enum: ['native'] }),
  'X-Tallyport-Count': header('`vendor` if the vendor of the model counted, `estimate` if the gateway did.', {
    enum: ['vendor', 'estimate'],
  }),
  'X-Tallyport-Idempotency': header('With an Idempotency-Key: whether the answer is new or replayed.', {
    enum: ['new', 'replayed', 'not-kept', 'unprotected'],
  }),
  'Server-Timing': header('Milliseconds spent per stage.'),
};

export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key (`sk-tp-…`) or an OAuth access token.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same key, for clients that send this header.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-tallyport',
    description:
      'The session of a signed-in browser; over plain http the cookie is `tallyport`. Requests that change data also send `x-csrf-token` and, with several accounts, `x-tallyport-account`.',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: "An OAuth client's id and secret; public clients send `client_id`.",
  },
};

/** The meaning of each code, for clients. */
const meanings: Readonly<Record<ErrorCode, string>> = {
  invalid_json: 'The body is not JSON.',
  invalid_parameters: '`param` is missing or wrong.',
  unsupported_parameter: '`param` is not supported; leave it out.',
  unsupported_capability: 'No provider of this model supports `param`.',
  context_length_exceeded: 'The conversation exceeds the context length of the model.',
  content_policy_violation: 'The provider refuses the content. No other provider is tried.',
  previous_response_not_found: '`previous_response_id` names no stored response. Send the whole conversation.',
  guardrail_blocked: "The account's guardrails forbid the request or the answer; the message names the rule.",
  invalid_api_key: 'The key is missing, unknown, mistyped, revoked or expired.',
  invalid_credentials: 'Wrong e-mail or password.',
  budget_exceeded: 'The budget of the key or of its account is spent.',
  permission_denied: 'The key or the user has no permission for this.',
  model_not_found: 'The model does not exist or is not allowed for this key. The message names similar models.',
  not_found: 'The resource does not exist.',
  thread_not_found: 'Threads of the Messages API are not kept here. Send the whole conversation.',
  storage_quota_exceeded: 'The files of the account have reached the limit named in the message.',
  method_not_allowed: 'The resource does not support this method; see `Allow`.',
  conflict: 'The request conflicts with the current state.',
  idempotency_conflict: 'The `Idempotency-Key` was used with another body.',
  request_too_large: 'The body exceeds the limit named in the message.',
  unsupported_media_type: 'The content type is not supported.',
  rate_limit_exceeded: 'Too many requests or tokens per minute; see `Retry-After`.',
  providers_rate_limited: 'Every provider reached its own rate limit; see `Retry-After`.',
  client_closed_request: 'The client disconnected. Appears in logs only.',
  internal_error: 'A fault of the gateway. Report the request id.',
  all_providers_failed: 'Every attempt failed; see `attempts` and `not_tried`.',
  upstream_error: 'The provider failed.',
  upstream_auth: "The provider refused the gateway's key.",
  stream_truncated: "The provider's answer ended early.",
  unavailable: 'A part of the gateway is not available. Try again after `Retry-After`.',
  upstream_timeout: 'The provider did not answer in time.',
  deadline_exceeded: 'The request exceeded its time limit.',
  overloaded: 'The gateway is overloaded. Try again after `Retry-After`.',
};

export function errorsTable(): string {
  const rows = Object.entries(errorTable)
    .filter(([code]) => code !== 'client_closed_request')
    .map(([code, { status, type }]) => `| ${status} | \`${type}\` | \`${code}\` | ${meanings[code as ErrorCode]} |`);
  return ['| status | type | code | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** One response per status with its possible codes. A status with a single code refers to a shared response. */
export function failureResponses(failures: readonly ErrorCode[]): Record<string, object> {
  const statuses = Map.groupBy(failures, (code) => errorTable[code].status);
  return Object.fromEntries(
    [...statuses].map(([status, codes]) => [
      status,
      codes.length === 1 ? { $ref: `#/components/responses/${codes[0]}` } : failureResponse(codes),
    ]),
  );
}

export const responses = (): Record<string, object> =>
  Object.fromEntries(Object.keys(errorTable).map((code) => [code, failureResponse([code as ErrorCode])]));

function failureResponse(codes: readonly ErrorCode[]): object {
  const extra = codes.flatMap((code) => extraHeaders[errorTable[code].status] ?? []);
  return {
    description: codes.map((code) => `\`${code}\`: ${meanings[code]}`).join('\n\n'),
    headers: referredHeaders(['X-Request-Id', ...extra]),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

export const referredHeaders = (names: readonly string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const limits = ['RateLimit', 'RateLimit-Policy', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const extraHeaders: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', ...limits],
  503: ['Retry-After'],
  529: ['Retry-After'],
};
