import type { GatewayError } from '@switchyard/contracts';
import { toGatewayFault } from '../faults/classify.ts';
import type { ErrorAnswer } from '../faults/error-answer.ts';
import { plainText } from '../faults/plain-text.ts';
import { retryAfterMs } from '../faults/retry-after.ts';
import { isMembers, type Members, members, text } from '../read.ts';
import { resetAfterMs } from './rate-limits.ts';

/** An answer with a bad status. */
export function anthropicError({ providerId, status, headers, body }: ErrorAnswer): GatewayError {
  const told = toldIn(body);
  return toGatewayFault({
    ...told,
    providerId,
    status: beyondStatus(told) ?? status,
    retryAfterMs: retryAfterMs(headers) ?? resetAfterMs(headers),
  });
}

/** An error in a good answer or in the middle of a stream: its type has to say what it means. */
export function anthropicFault(body: unknown, providerId: string): GatewayError {
  const told = toldIn(body);
  return toGatewayFault({ ...told, providerId, status: beyondStatus(told) ?? statuses.get(told.type) ?? 500 });
}

/** Whether a body or event tells of an error instead of an answer. */
export const tellsError = (body: Members): boolean => body.type === 'error' || isMembers(body.error);

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

function toldIn(body: unknown): VendorError {
  const error = members(members(body).error ?? body);
  const type = text(error.type) ?? '';
  const message = text(error.message) ?? text(members(body).error) ?? plainText(body);
  return { type, message, code: /content filtering policy/i.test(message) ? 'content_filter' : type };
}

/** Keys and money, whatever status they come with. */
function beyondStatus({ type, message }: VendorError): number | undefined {
  if (type === 'billing_error' || /credit balance is too low/i.test(message)) return 402;
  return type === 'authentication_error' ? 401 : undefined;
}
