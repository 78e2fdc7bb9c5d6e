import type { GatewayError } from '@tallyport/contracts';
import { toGatewayFault } from '../../faults/classify.ts';
import { isMembers, items, type Members, members, text } from '../../read.ts';
import { geminiFault } from '../error.ts';

/** The error of an interaction that failed, or of an event; `undefined` if there is none. */
export function interactionFault(body: Members, providerId: string): GatewayError | undefined {
  // An error of the HTTP layer has a number for a code.
  if (isMembers(body.error) && typeof body.error.code !== 'string') return geminiFault(body, providerId);
  if (isMembers(body.error)) return faultOf(body.error, providerId);
  return body.status === 'failed' ? faultOf(members(items(body.errors)[0]), providerId) : undefined;
}

const statuses: ReadonlyMap<string, number> = new Map([
  ['CANCELLED', 499],
  ['DEADLINE_EXCEEDED', 504],
  ['FAILED_PRECONDITION', 403],
  ['INVALID_ARGUMENT', 400],
  ['NOT_FOUND', 404],
  ['PERMISSION_DENIED', 403],
  ['RESOURCE_EXHAUSTED', 429],
  ['UNAUTHENTICATED', 401],
  ['UNAVAILABLE', 503],
]);

function faultOf({ code, message }: Members, providerId: string): GatewayError {
  const name = text(code) ?? 'INTERNAL';
  return toGatewayFault({
    providerId,
    status: statuses.get(name.toUpperCase()) ?? 500,
    code: name,
    message: text(message) ?? 'The interaction failed.',
  });
}
