import type { GatewayError } from '@tallyport/contracts';
import { toGatewayFault } from '../faults/classify.ts';
import type { ErrorAnswer } from '../faults/error-answer.ts';
import { plainText } from '../faults/plain-text.ts';
import { retryAfterMs } from '../faults/retry-after.ts';
import { isMembers, type Members, members, text } from '../read.ts';
import { resetAfterMs } from './rate-limits.ts';

/** Translates a response with an error status. */
export function anthropicError({ providerId, status, headers, body }: ErrorAnswer): GatewayError {
  const vendorError = readError(body);
  return toGatewayFault({
    ...vendorError,
    providerId,
    status: beyondStatus(vendorError) ?? status,
    ownStatus: status,
    retryAfterMs: retryAfterMs(headers) ?? resetAfterMs(headers),
  });
}

/** Translates an error that has status 200 or is inside a stream: only its type says what kind of error it is. */
export function anthropicFault(body: unknown, providerId: string): GatewayError {
  const vendorError = readError(body);
  return toGatewayFault({
    ...vendorError,
    providerId,
    status: beyondStatus(vendorError) ?? statuses.get(vendorError.type) ?? 500,
  });
}

/** Whether a body or event is an error instead of an answer. */
export const isError = (body: Members): boolean => body.type === 'error' || isMembers(body.error);

const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

interface VendorError {
  type: string;
  code: string;
  message: string;
}

function readError(body: unknown): VendorError {
  const error = members(members(body).error ?? body);
  const type = text(error.type) ?? '';
  const message = text(error.message) ?? text(members(body).error) ?? plainText(body);
  return { type, message, code: /content filtering policy/i.test(message) ? 'content_filter' : type };
}

/** The status for authentication and billing errors, which the vendor reports with various statuses. */
function beyondStatus({ type, message }: VendorError): number | undefined {
  if (type === 'billing_error' || /credit balance is too low/i.test(message)) return 402;
  return type === 'authentication_error' ? 401 : undefined;
}
