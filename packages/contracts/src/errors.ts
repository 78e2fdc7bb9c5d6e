/** The one table from an error code to what a client sees. A code is a promise: it never changes its status or type. */
export const errorTable = {
  invalid_json: { status: 400, type: 'invalid_request_error' },
  invalid_parameters: { status: 400, type: 'invalid_request_error' },
  unsupported_parameter: { status: 400, type: 'invalid_request_error' },
  unsupported_capability: { status: 400, type: 'invalid_request_error' },
  context_length_exceeded: { status: 400, type: 'invalid_request_error' },
  content_policy_violation: { status: 400, type: 'invalid_request_error' },
  invalid_api_key: { status: 401, type: 'invalid_request_error' },
  invalid_credentials: { status: 401, type: 'invalid_request_error' },
  budget_exceeded: { status: 402, type: 'invalid_request_error' },
  permission_denied: { status: 403, type: 'invalid_request_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  conflict: { status: 409, type: 'invalid_request_error' },
  idempotency_conflict: { status: 409, type: 'invalid_request_error' },
  request_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error' },
  client_closed_request: { status: 499, type: 'invalid_request_error' },
  internal_error: { status: 500, type: 'api_error' },
  all_providers_failed: { status: 502, type: 'upstream_error' },
  upstream_error: { status: 502, type: 'upstream_error' },
  upstream_auth: { status: 502, type: 'upstream_error' },
  stream_truncated: { status: 502, type: 'upstream_error' },
  unavailable: { status: 503, type: 'api_error' },
  upstream_timeout: { status: 504, type: 'timeout_error' },
  deadline_exceeded: { status: 504, type: 'timeout_error' },
  overloaded: { status: 529, type: 'overloaded_error' },
} as const satisfies Record<string, { status: number; type: string }>;

export type ErrorCode = keyof typeof errorTable;

/**
 * Whose fault it was. Only `provider` lowers a provider's uptime; `caller` and `policy` are never retried elsewhere;
 * `gateway` is ours.
 */
export type FaultDomain = 'caller' | 'policy' | 'provider' | 'gateway';

export interface ErrorAttempt {
  provider: string;
  status: number | null;
  kind: string;
}

export interface GatewayErrorOptions {
  cause?: unknown;
  /** The path of the offending member, such as `messages[2].content`. */
  param?: string;
  retryAfterMs?: number;
  domain?: FaultDomain;
  /** A client fault reported by a provider keeps the provider's status (413, 422 …). */
  status?: number;
  attempts?: readonly ErrorAttempt[];
  /** For our log only; never reaches a client. */
  detail?: string;
}

/** The only error that crosses a boundary: `message` is public and says what to do, `detail` and `cause` stay in our log. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly type: string;
  readonly domain: FaultDomain;
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly attempts: readonly ErrorAttempt[] | undefined;
  readonly detail: string | undefined;

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.status = options.status ?? errorTable[code].status;
    this.type = errorTable[code].type;
    this.domain = options.domain ?? defaultDomain(this.status);
    this.param = options.param;
    this.retryAfterMs = options.retryAfterMs;
    this.attempts = options.attempts;
    this.detail = options.detail;
  }
}

/** What clients read. `param` and `code` may be null but always exist: SDKs read them. */
export interface ErrorBody {
  error: {
    message: string;
    type: string;
    param: string | null;
    code: string | null;
    attempts?: readonly ErrorAttempt[];
  };
}

export function errorBody(error: GatewayError): ErrorBody {
  const { message, type, param = null, code, attempts } = error;
  return { error: { message, type, param, code, ...(attempts && { attempts }) } };
}

/** Converts whatever was thrown, once, at a boundary. Nothing of an unknown cause reaches the client. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError(
    'internal_error',
    'Something went wrong on our side. Try again; if it stays, send us the request id.',
    {
      cause: thrown,
    },
  );
}

function defaultDomain(status: number): FaultDomain {
  if (status === 402 || status === 403 || status === 429) return 'policy';
  if (status < 500) return 'caller';
  if (status === 502 || status === 504) return 'provider';
  return 'gateway';
}
