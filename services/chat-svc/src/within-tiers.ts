import { GatewayError, longestTierName, type Model, type RequestHead } from '@tallyport/contracts';
import { dearestTier, tierForAsked } from '@tallyport/pricing';
import type { ChatRequest, NativeRequest } from '@tallyport/wire';

interface TieredRequest {
  request: ChatRequest;
  native?: NativeRequest | undefined;
}

/**
 * Keeps a request within the service tiers that its key may ask for. One that leaves the choice to the vendor is sent for
 * the standard tier, unless the key may use the dearest tier of every offer. Throws `permission_denied` for another tier, also
 * for one that a provider has under a name that the key may not use.
 */
export function withinTiers<Read extends TieredRequest>(
  read: Read,
  { principal }: RequestHead,
  { offers }: Model,
): Read {
  const allowed = principal?.allowedTiers;
  if (allowed === undefined) return read;
  const { request, native } = read;
  const asked = request.service_tier ?? 'auto';
  if (asked === 'default' || (asked === 'auto' && allowed.includes(asked))) return read;
  if (asked !== 'auto') {
    const outside = (tier: string): string | undefined =>
      [tier, ...offers.map((offer) => tierForAsked(tier, offer))].find((name) => name && !allowed.includes(name));
    const refused = outside(asked);
    if (refused === undefined) return read;
    throw notAllowed(
      refused,
      allowed.filter((tier) => outside(tier) === undefined),
    );
  }
  const dearest = offers.map(dearestTier);
  if (dearest.every((tier) => tier === undefined || allowed.includes(tier))) return read;
  return {
    ...read,
    request: { ...request, service_tier: 'default' },
    native: native && { ...native, standardTier: true },
  };
}

function notAllowed(asked: string, allowed: readonly string[]): GatewayError {
  const others = allowed.length === 0 ? '' : ` or ask for one of: ${allowed.join(', ')}`;
  const message = `This API key may not use the service tier '${asked.slice(0, longestTierName)}'. Ask for the standard tier${others}.`;
  return new GatewayError('permission_denied', message, { param: 'service_tier' });
}
