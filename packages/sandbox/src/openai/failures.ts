import type { FailureOptions } from '../dialect.ts';
import type { ApiError } from './errors.ts';

type ErrorText = Omit<ApiError, 'status' | 'param'>;

const invalid = (message: string, code: string | null): ErrorText => ({ message, type: 'invalid_request_error', code });

const known: Readonly<Record<number, ErrorText>> = {
  400: invalid('Invalid request: simulated.', null),
  401: invalid('Incorrect API key provided: sim***. (simulated)', 'invalid_api_key'),
  402: { message: 'Payment required: simulated.', type: 'insufficient_quota', code: 'insufficient_quota' },
  403: invalid('Country, region, or territory not supported', 'unsupported_country_region_territory'),
  404: invalid('The model `simulated` does not exist or you do not have access to it.', 'model_not_found'),
  408: { message: 'Request timed out: simulated.', type: 'timeout_error', code: null },
  413: invalid('Request body is too large: simulated.', 'request_too_large'),
  422: invalid('Unprocessable request: simulated.', null),
  429: { message: 'Rate limit reached for requests: simulated.', type: 'requests', code: 'rate_limit_exceeded' },
  503: { message: 'The model is overloaded: simulated.', type: 'service_unavailable_error', code: 'overloaded' },
  529: { message: 'Overloaded', type: 'overloaded_error', code: null },
};

/** Only the code distinguishes the two meanings of 429: a rate limit passes with time, an exhausted quota does not. */
const quota: ErrorText = {
  message: 'You exceeded your current quota, please check your plan and billing details.',
  type: 'insufficient_quota',
  code: 'insufficient_quota',
};

const serverError: ErrorText = {
  message: 'The server had an error while processing your request. Sorry about that!',
  type: 'server_error',
  code: null,
};

/** OpenAI's error for this status. */
export function openAiFailure(status: number, { code }: FailureOptions = {}): ApiError {
  const words = code === quota.code ? quota : (known[status] ?? (status < 500 ? known[400] : serverError));
  return { status, param: null, ...(words ?? serverError), ...(code !== undefined && { code }) };
}
