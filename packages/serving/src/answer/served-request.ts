import type { Offer, RequestHead } from '@tallyport/contracts';
import { type AttemptRecord, type Plan, unlisted } from '@tallyport/dispatch';
import type { AnswerMetadata } from '@tallyport/wire';

/** A request and the offer that answered it; every form of the answer reports these. */
export interface ServedRequest {
  head: RequestHead;
  plan: Plan;
  offer: Offer;
}

/** The model name with which a client gets the same offer again. */
export const servedModel = ({ plan, offer }: Pick<ServedRequest, 'plan' | 'offer'>): string =>
  `${offer.providerId}/${plan.model.id}`;

export function metadataOf({ head, plan, offer }: ServedRequest, routing: readonly AttemptRecord[]): AnswerMetadata {
  const failover = failoverText(offer, routing);
  return {
    request_id: head.requestId,
    requested_model: plan.requestedModel,
    requested_provider: plan.requestedProvider ?? null,
    used_model: plan.model.id,
    used_provider: offer.providerId,
    ...(offer.stability === unlisted && { unlisted: true as const }),
    cached: false,
    routing: [...routing],
    ...(failover !== undefined && { failover }),
  };
}

/** `answered by openai after azure and groq failed`; `undefined` if no other provider failed. */
function failoverText({ providerId }: Offer, routing: readonly AttemptRecord[]): string | undefined {
  const failed = new Set(routing.map(({ provider }) => provider));
  failed.delete(providerId);
  return failed.size === 0 ? undefined : `answered by ${providerId} after ${[...failed].join(' and ')} failed`;
}
