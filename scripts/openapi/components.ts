import { errorTable, type ErrorCode } from '@switchyard/contracts';
import type { JsonSchema } from './schema-book.ts';

const text = { type: 'string' };
const number = { type: 'integer' };

const header = (description: string, schema: JsonSchema = text) => ({ description, schema });

export const headers: Readonly<Record<string, ReturnType<typeof header>>> = {
  'X-Request-Id': header('On every answer; yours when you sent one that can be used.'),
  'Retry-After': header('Seconds until it is worth trying again.', number),
  'WWW-Authenticate': header('How to show who is asking.'),
  'RateLimit-Limit': header('Requests a minute.', number),
  'RateLimit-Remaining': header('How many are left.', number),
  'RateLimit-Reset': header('Seconds until more are let in.', number),
  ETag: header('Send it back in If-None-Match.'),
  'X-Switchyard-Provider': header('Who served. Streams that waited for 10 s tell it in `metadata` only.'),
  'X-Switchyard-Model': header('`<provider>/<model>` that served.'),
  'X-Switchyard-Attempts': header('How many calls it took.', number),
  'X-Switchyard-Cache': header(
    '`HIT`: answered before, and for nothing. `MISS`: asked now, and kept. `BYPASS`: not for the cache.',
    { enum: ['HIT', 'MISS', 'BYPASS'] },
  ),
  'X-Switchyard-Idempotency': header('With an Idempotency-Key: how the answer came about.', {
    enum: ['new', 'replayed', 'not-kept', 'unprotected'],
  }),
  'Server-Timing': header('Milliseconds spent where.'),
};

export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key (`sk-sy-…`) or an OAuth access token.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same key, for clients that send it so.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-switchyard',
    description:
      'A signed-in browser; over plain http the cookie is `switchyard`. What changes something also sends `x-csrf-token` and, with several accounts, `x-switchyard-account`.',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: "An OAuth client's id and secret; public clients send `client_id`.",
  },
};

/** What each code means for the one who reads it. */
export const meanings: Readonly<Record<ErrorCode, string>> = {
  invalid_json: 'The body is not JSON.',
  invalid_parameters: '`param` is missing or wrong.',
  unsupported_parameter: '`param` cannot be had here; leave it out.',
  unsupported_capability: 'No provider of this model can do it; `param` names it.',
  context_length_exceeded: 'The conversation is longer than the model takes.',
  content_policy_violation: 'The provider refuses what was asked. Not tried elsewhere.',
  invalid_api_key: 'No key, or an unknown, mistyped, revoked or expired one.',
  invalid_credentials: 'Wrong e-mail or password.',
  budget_exceeded: 'The budget of the key or of its account is spent.',
  permission_denied: 'The key or person may not do this.',
  model_not_found: 'There is no such model, or not for this key. The message names near ones.',
  not_found: 'There is nothing at this address.',
  method_not_allowed: 'The address takes other methods; see `Allow`.',
  conflict: 'It does not fit what is there.',
  idempotency_conflict: 'The `Idempotency-Key` was used with another body.',
  request_too_large: 'The body is beyond the limit, which the message names.',
  unsupported_media_type: 'Send another content type.',
  rate_limit_exceeded: 'Too many requests or tokens a minute; see `Retry-After`.',
  client_closed_request: 'The client left. Only in logs.',
  internal_error: 'Our fault. Tell us the request id.',
  all_providers_failed: 'Every attempt failed; `attempts` tells how.',
  upstream_error: 'The provider failed.',
  upstream_auth: "The provider refused the gateway's key.",
  stream_truncated: "The provider's answer broke off.",
  unavailable: 'A part of the gateway is away. Try again after `Retry-After`.',
  upstream_timeout: 'The provider took too long.',
  deadline_exceeded: 'The request took longer than it may.',
  overloaded: 'The gateway sheds load. Try again after `Retry-After`.',
};

export function errorsTable(): string {
  const rows = Object.entries(errorTable)
    .filter(([code]) => code !== 'client_closed_request')
    .map(([code, { status, type }]) => `| ${status} | \`${type}\` | \`${code}\` | ${meanings[code as ErrorCode]} |`);
  return ['| status | type | code | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** One response per status, saying which codes it can carry; those with one code are said once for all. */
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

const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const extraHeaders: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', ...limits],
  503: ['Retry-After'],
  529: ['Retry-After'],
};
