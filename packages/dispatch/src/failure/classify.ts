import { type ErrorCode, type FaultDomain, GatewayError } from '@tallyport/contracts';
import { WireError } from '@tallyport/wire';
import { UpstreamFailure } from '@tallyport/outbound';
import type { AttemptFailure, EndReason, FailureType } from './attempt-failure.ts';
import { LostResult } from './lost-result.ts';
import { ShownResult } from './shown-result.ts';

/** Classifies anything an attempt threw. `status` is the response's, or null if there was none. */
export function asAttemptFailure(thrown: unknown, provider: string, status: number | null): AttemptFailure {
  if (thrown instanceof UpstreamFailure) return fromUpstream(thrown, provider, status);
  if (thrown instanceof GatewayError) return fromProvider(thrown, status);
  if (thrown instanceof LostResult) {
    const error = new GatewayError('upstream_error', `${provider} ${thrown.message}.`, { cause: thrown });
    return { type: 'provider_bad_response', error, status, retryable: false, endReason: 'error' };
  }
  if (thrown instanceof ShownResult) return { ...asAttemptFailure(thrown.cause, provider, status), retryable: false };
  if (thrown instanceof WireError || thrown instanceof SyntaxError) {
    const error = new GatewayError('upstream_error', `${provider} sent an answer that cannot be read.`, {
      cause: thrown,
    });
    return { type: 'provider_bad_response', error, status, retryable: true, endReason: 'error' };
  }
  const error = new GatewayError('internal_error', 'Something went wrong on our side. Try again.', { cause: thrown });
  return { type: 'gateway_internal', error, status, retryable: false, endReason: 'error' };
}

function fromUpstream(failure: UpstreamFailure, provider: string, status: number | null): AttemptFailure {
  const options = { cause: failure };
  const message = `${provider} ${failure.message}.`;
  const failed = (type: FailureType, code: 'upstream_error' | 'upstream_timeout' | 'stream_truncated') => ({
    type,
    error: new GatewayError(code, message, options),
    status,
    retryable: true,
  });
  switch (failure.kind) {
    case 'connection':
      return { ...failed('provider_connection_failed', 'upstream_error'), endReason: 'upstream_cut' };
    case 'connect_timeout':
    case 'first_byte_timeout':
      return { ...failed('provider_timeout', 'upstream_timeout'), endReason: 'stall' };
    case 'stalled':
      return { ...failed('provider_timeout', 'upstream_timeout'), endReason: 'stall' };
    case 'max_duration':
      return { ...failed('provider_timeout', 'upstream_timeout'), endReason: 'max_duration' };
    case 'cut':
      return { ...failed('provider_truncated', 'stream_truncated'), endReason: 'upstream_cut' };
    case 'too_large':
    case 'undecodable':
      return { ...failed('provider_bad_response', 'upstream_error'), endReason: 'error' };
    case 'left':
      return cancelled(failure);
    default:
      return failure.kind satisfies never;
  }
}

function cancelled(failure: UpstreamFailure): AttemptFailure {
  const { cause } = failure;
  const error =
    cause instanceof GatewayError
      ? cause
      : new GatewayError('client_closed_request', 'The client closed the connection.');
  const endReason = error.code === 'client_closed_request' ? 'client_gone' : endReasonOf(error);
  return { type: 'caller_cancelled', error, status: null, retryable: false, endReason };
}

const endReasonOf = (error: GatewayError): EndReason =>
  error.code === 'deadline_exceeded' ? 'max_duration' : 'shutdown';

/** The provider's own error, already translated by its adapter. */
function fromProvider(error: GatewayError, responseStatus: number | null): AttemptFailure {
  const type = typeOf(error, responseStatus);
  const retryable = error.domain === 'provider';
  const endReason = error.code === 'stream_truncated' ? 'upstream_cut' : 'error';
  return { type, error, status: responseStatus, retryable, endReason };
}

const typeOfCode: Partial<Record<ErrorCode, FailureType>> = {
  content_policy_violation: 'policy_content_filter',
  upstream_timeout: 'provider_timeout',
  stream_truncated: 'provider_truncated',
};

const typeOfDomain: Partial<Record<FaultDomain, FailureType>> = {
  caller: 'caller_invalid_request',
  policy: 'caller_invalid_request',
  gateway: 'gateway_internal',
};

const typeOfStatus: Readonly<Record<number, FailureType>> = {
  401: 'provider_auth_failed',
  402: 'provider_billing',
  403: 'provider_auth_failed',
  404: 'provider_model_not_found',
  408: 'provider_timeout',
  429: 'provider_rate_limited',
  498: 'provider_rate_limited',
  503: 'provider_overloaded',
  529: 'provider_overloaded',
};

/** The adapter's classification wins over the bare status. An error inside a 200 is a bad response. */
function typeOf({ code, domain }: GatewayError, status: number | null): FailureType {
  const byAdapter = typeOfCode[code] ?? typeOfDomain[domain];
  if (byAdapter !== undefined) return byAdapter;
  if (status === null || status < 400)
    return code === 'upstream_auth' ? 'provider_auth_failed' : 'provider_bad_response';
  // OpenAI sends the status of a rate limit when there is no money left, which does not pass by waiting.
  if (code === 'upstream_auth' && status === 429) return 'provider_billing';
  return typeOfStatus[status] ?? (code === 'upstream_auth' ? 'provider_auth_failed' : 'provider_server_error');
}
