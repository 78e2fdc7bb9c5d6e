import { GatewayError, type Offer } from '@tallyport/contracts';
import { laneOf, type Plan, type Targets } from '@tallyport/dispatch';
import { findChatProvider, weakenedMembers } from '@tallyport/providers';
import type { ReadRequest } from './read-request.ts';

/**
 * A plan of the offers only that get the whole request. Throws `unsupported_parameter` that names what the first offer would
 * not get, if there is none.
 */
export function strictPlan(plan: Plan, read: ReadRequest, { custom }: Pick<Targets, 'custom'>): Plan {
  const lost = (offer: Offer) => lostAt(read, offer, findChatProvider(offer.providerId) ?? custom?.(offer.providerId));
  const candidates = plan.candidates.filter(({ offer }) => lost(offer).length === 0);
  const [first] = plan.candidates;
  if (candidates.length > 0 || first === undefined) return { ...plan, candidates };
  const [reason = ''] = lost(first.offer);
  const [param = ''] = reason.split(' ', 1);
  const message = `No provider gets this request as it is: ${reason}. Leave the member out, or name another model.`;
  throw new GatewayError('unsupported_parameter', message, { param });
}

function lostAt(
  { request, native, ignoredMembers = [] }: ReadRequest,
  offer: Offer,
  provider: ReturnType<typeof findChatProvider>,
): readonly string[] {
  if (provider === undefined || laneOf(native, offer).lane === 'native') return [];
  return [...ignoredMembers.map((name) => `${name} is not read`), ...weakenedMembers(provider, request, offer)];
}
