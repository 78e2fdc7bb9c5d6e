/** Status and type of every error code. They are part of the API: a published code never changes either. */
export const errorTable = {
  invalid_json: { status: 400, type: 'invalid_request_error' },
  invalid_parameters: { status: 400, type: 'invalid_request_error' },
  unsupported_parameter: { status: 400, type: 'invalid_request_error' },
  unsupported_capability: { status: 400, type: 'invalid_request_error' },
  context_length_exceeded: { status: 400, type: 'invalid_request_error' },
  content_policy_violation: { status: 400, type: 'invalid_request_error' },
  previous_response_not_found: { status: 400, type: 'invalid_request_error' },
  storage_quota_exceeded: { status: 400, type: 'invalid_request_error' },
  guardrail_blocked: { status: 400, type: 'invalid_request_error' },
  invalid_api_key: { status: 401, type: 'invalid_request_error' },
  invalid_credentials: { status: 401, type: 'invalid_request_error' },
  budget_exceeded: { status: 402, type: 'invalid_request_error' },
  permission_denied: { status: 403, type: 'invalid_request_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  thread_not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  conflict: { status: 409, type: 'invalid_request_error' },
  idempotency_conflict: { status: 409, type: 'invalid_request_error' },
  request_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error' },
  providers_rate_limited: { status: 429, type: 'rate_limit_error' },
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

export const isErrorCode = (code: string | null): code is ErrorCode => code !== null && Object.hasOwn(errorTable, code);

/**
 * Who caused the error. Only `provider` lowers a provider's uptime; `caller` and `policy` errors are never retried
 * elsewhere; `gateway` is our own failure.
 */
export type FaultDomain = 'caller' | 'policy' | 'provider' | 'gateway';

export interface ErrorAttempt {
  provider: string;
  model?: string;
  status: number | null;
  kind: string;
}

/** An offer that was not tried, or a model of which none could be. */
export interface UntriedOffer {
  /** Absent if it is true of the whole model. */
  provider?: string;
  model: string;
  /** Why the offer had its place in the plan, or was left out: the words of `POST /v1/routes/explain`. */
  reason: string;
  detail?: string;
}

/** The offers of a request that were not tried. */
export interface UntriedOffers {
  not_tried: readonly UntriedOffer[];
  /** How many more there were. */
  not_tried_more?: number;
}

/** The provider's own error, for clients that need more detail than our message has. */
export interface ProviderFault {
  id: string;
  /** Its HTTP status; null where it reported the error in a successful response or a stream. */
  status: number | null;
  /** Its own error code. */
  code?: string;
  /** Further members of its error: `failed_generation`, `raw`. */
  details?: Readonly<Record<string, string>>;
}

interface GatewayErrorOptions {
  cause?: unknown;
  /** The path of the invalid member, for example `messages[2].content`. */
  param?: string;
  retryAfterMs?: number;
  domain?: FaultDomain;
  /**
   * Overrides the status of the code: a client error reported by a provider keeps the provider's status (413, 422 …).
   */
  status?: number;
  attempts?: readonly ErrorAttempt[];
  untried?: UntriedOffers | undefined;
  provider?: ProviderFault;
  /** For our log only; never sent to a client. */
  detail?: string;
}

/**
 * The only error that crosses a boundary. `message` is public and says what to do; `detail` and `cause` are only
 * logged.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly type: string;
  readonly domain: FaultDomain;
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly attempts: readonly ErrorAttempt[] | undefined;
  readonly untried: UntriedOffers | undefined;
  readonly provider: ProviderFault | undefined;
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
    this.untried = options.untried;
    this.provider = options.provider;
    this.detail = options.detail;
  }
}

/** The body of an error response. `param` and `code` may be null but are always present, because SDKs read them. */
export interface ErrorBody {
  error: Partial<UntriedOffers> & {
    message: string;
    type: string;
    param: string | null;
    code: string | null;
    attempts?: readonly ErrorAttempt[];
    provider?: ProviderFault;
  };
}

export function errorBody(error: GatewayError): ErrorBody {
  const { message, type, param = null, code, attempts, untried, provider } = error;
  return {
    error: { message, type, param, code, ...(attempts && { attempts }), ...untried, ...(provider && { provider }) },
  };
}

/** The same error, which names the offers that were not tried as well. */
export const withUntried = (error: GatewayError, untried: UntriedOffers | undefined): GatewayError =>
  untried === undefined
    ? error
    : new GatewayError(error.code, error.message, { ...error, cause: error.cause, untried });

/**
 * Converts any thrown value, once, at a boundary. An unknown error becomes `internal_error` and reveals nothing to the
 * client.
 */
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
