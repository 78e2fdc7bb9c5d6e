import type { Failure } from './dialect-errors.ts';

/** The client's result: the answer as without the fault, an error before its first byte, or some of it and an error. */
export type Expectation = 'whole' | { refused: Failure } | { brokenOff: Failure };

interface FaultCase {
  fault: string;
  plain: Expectation;
  stream: Expectation;
  /** Another provider is tried. */
  moves: boolean;
  /** The fault shows only after a timeout. */
  waits?: true;
}

const caller = (status: 400 | 413 | 422, code = 'invalid_parameters'): Failure => ({
  status,
  code,
  type: 'invalid_request_error',
});
const vendor = (status: number | null, kind: string, failure: Partial<Failure> = {}): Failure => ({
  status: 502,
  code: 'all_providers_failed',
  type: 'upstream_error',
  attempt: { status, kind: `provider_${kind}` },
  ...failure,
});
const always = (fault: string, expected: Expectation): FaultCase => ({
  fault,
  plain: expected,
  stream: expected,
  moves: false,
});
const movable = (fault: string, failure: Failure, stream: Expectation = { refused: failure }): FaultCase => ({
  fault,
  plain: { refused: failure },
  stream,
  moves: true,
});
const keyRefused = (status: number, kind: string): Failure =>
  vendor(status, kind, { code: 'upstream_auth', says: 'refused our credentials or has no credit left\\.' });
const limited = (retryAfter?: number): Failure => ({
  ...vendor(429, 'rate_limited'),
  status: 429,
  code: 'providers_rate_limited',
  type: 'rate_limit_error',
  ...(retryAfter !== undefined && { retryAfter }),
});
const late = (status: number | null): Failure => ({
  ...vendor(status, 'timeout', { says: 'did not answer in time\\. Try again later or with another model\\.' }),
  status: 504,
  code: 'upstream_timeout',
  type: 'timeout_error',
});
export const away = vendor(null, 'connection_failed', { says: 'could not be reached\\.' });
export const cut = vendor(200, 'truncated', { says: 'cut its answer off\\.' });
const unreadable = vendor(200, 'bad_response', { says: 'sent an answer that cannot be read\\.' });
export const tooLong = vendor(200, 'bad_response', { says: 'sent more than 262144 bytes\\.' });
const mislabelled = vendor(200, 'bad_response', { says: 'sent a body that is not the gzip it is labelled as\\.' });
const errorInside = vendor(200, 'bad_response');

export const faultCases: readonly FaultCase[] = [
  always('status:400', { refused: caller(400) }),
  always('status:413', { refused: caller(413, 'request_too_large') }),
  always('status:422', { refused: caller(422) }),
  movable('status:401', keyRefused(401, 'auth_failed')),
  movable('status:402', keyRefused(402, 'billing')),
  movable('status:403', keyRefused(403, 'auth_failed')),
  movable('status:404', vendor(404, 'model_not_found')),
  movable('status:408', { ...late(408), shown: true }),
  movable('status:429;retry-after=2', limited(2)),
  movable('status:500', vendor(500, 'server_error')),
  movable('status:503;body=html', vendor(503, 'overloaded')),
  movable('status:529', vendor(529, 'overloaded')),
  movable('reset', away),
  { ...movable('hang', late(null)), waits: true },
  { ...movable('heartbeat-only', late(200)), waits: true },
  movable('cut-after-headers', cut),
  movable('cut:100', cut),
  movable('error-in-200', errorInside),
  movable('error-in-200;body=json', errorInside),
  movable('gzip-mislabelled', mislabelled),
  movable('malformed-line:4', unreadable, 'whole'),
  { ...always('error-mid-stream:8', { brokenOff: errorInside }), plain: 'whole' },
  ...['slow-first-byte:20', 'crlf', 'gzip', 'no-done'].map((fault) => always(fault, 'whole')),
];
