import type { Offer, RequestHead } from '@switchyard/contracts';
import type { AttemptRecord, Plan } from '@switchyard/dispatch';
import type { AnswerMetadata } from '@switchyard/wire';

/** Who answers, and how it came to that: what every form of the answer tells. */
export interface ServedRequest {
  head: RequestHead;
  plan: Plan;
  offer: Offer;
}

/** What a client can ask for to get the same again. */
export const servedModel = ({ plan, offer }: Pick<ServedRequest, 'plan' | 'offer'>): string =>
  `${offer.providerId}/${plan.model.id}`;

export function metadataOf({ head, plan, offer }: ServedRequest, routing: readonly AttemptRecord[]): AnswerMetadata {
  return {
    request_id: head.requestId,
    requested_model: plan.requestedModel,
    requested_provider: plan.requestedProvider ?? null,
    used_model: plan.model.id,
    used_provider: offer.providerId,
    cached: false,
    routing: [...routing],
  };
}
