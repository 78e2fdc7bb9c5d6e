import { GatewayError, type Offer } from '@tallyport/contracts';
import type { Plan } from '@tallyport/dispatch';
import { servedHeaders } from './headers.ts';
import type { ServedRequest } from './served-request.ts';

/** The offer of a cached answer. It is in the plan's model, because the cache key covers the allowed providers. */
export function offerOf({ model }: Plan, provider: string): Offer {
  const offer = model.offers.find(({ providerId }) => providerId === provider);
  if (offer !== undefined) return offer;
  throw new GatewayError('internal_error', 'Something went wrong on our side. Try again.', {
    detail: `a cached answer of ${provider}, which does not offer ${model.id}`,
  });
}

/** The headers of an answer from the cache. */
export const hitHeaders = (served: ServedRequest, planMs: number): Record<string, string> => ({
  ...servedHeaders(served, { planMs, upstreamMs: 0, attempts: 0 }),
  'x-tallyport-cache': 'HIT',
});
