import { GatewayError, type Offer } from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';
import { servedHeaders } from './headers.ts';
import type { ServedRequest } from './served-request.ts';

/** Who made a kept answer is among those who may make this one: that is part of the key. */
export function offerOf({ model }: Plan, provider: string): Offer {
  const offer = model.offers.find(({ providerId }) => providerId === provider);
  if (offer !== undefined) return offer;
  throw new GatewayError('internal_error', 'Something went wrong on our side. Try again.', {
    detail: `a kept answer of ${provider}, which does not offer ${model.id}`,
  });
}

/** Headers of an answer for which no provider was called. */
export const hitHeaders = (served: ServedRequest, planMs: number): Record<string, string> => ({
  ...servedHeaders(served, { planMs, upstreamMs: 0, attempts: 0 }),
  'x-switchyard-cache': 'HIT',
});
