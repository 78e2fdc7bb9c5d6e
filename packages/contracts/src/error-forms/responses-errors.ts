import { errorBody, type ErrorCode, type GatewayError } from '../errors.ts';
import type { ErrorForm } from './error-form.ts';

/** `context_length_exceeded` and `insufficient_quota` are not in the published list; agents act on them. */
export interface ResponsesError {
  code: 'server_error' | 'rate_limit_exceeded' | 'invalid_prompt' | 'context_length_exceeded' | 'insufficient_quota';
  message: string;
}

/** This API has the same error body as chat completions, and no status 529: a busy service answers 503. */
export const responsesErrors: ErrorForm = {
  error: (error) => ({ status: error.status === 529 ? 503 : error.status, body: errorBody(error) }),
  lastEvent(error) {
    const event = { type: 'error', param: null, ...lateResponsesError(error) };
    return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
  },
};

const codes: Partial<Record<ErrorCode, ResponsesError['code']>> = {
  budget_exceeded: 'insufficient_quota',
  content_policy_violation: 'invalid_prompt',
  context_length_exceeded: 'context_length_exceeded',
  guardrail_blocked: 'invalid_prompt',
  invalid_parameters: 'invalid_prompt',
  providers_rate_limited: 'rate_limit_exceeded',
  rate_limit_exceeded: 'rate_limit_exceeded',
  unsupported_capability: 'invalid_prompt',
  unsupported_parameter: 'invalid_prompt',
};

/** The error of a response that failed after its first byte. */
export function lateResponsesError({ code, message, retryAfterMs }: GatewayError): ResponsesError {
  const known = codes[code] ?? 'server_error';
  const isLimit = known === 'rate_limit_exceeded' && retryAfterMs !== undefined;
  // There is no header left to say it: agents read the delay from this wording.
  return { code: known, message: isLimit ? `${message} Please try again in ${retryAfterMs / 1000}s.` : message };
}
