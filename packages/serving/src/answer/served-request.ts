import type { Offer, RequestHead } from '@tallyport/contracts';
import { type AttemptRecord, type Plan, unlisted, untriedOffers } from '@tallyport/dispatch';
import type { AnswerMetadata } from '@tallyport/wire';

/** The models of a request that names several. */
export interface OtherModels {
  /** The attempts with models that had their turn before this one. */
  before: readonly AttemptRecord[];
  /** The plan of the request with all of its models. */
  plan: Plan;
}

/** A request and the offer that answered it; every form of the answer reports these. */
export interface ServedRequest {
  head: RequestHead;
  plan: Plan;
  offer: Offer;
  /** Absent if the request names one model. */
  others?: OtherModels | undefined;
}

/** The model name with which a client gets the same offer again. */
export const servedModel = ({ plan, offer }: Pick<ServedRequest, 'plan' | 'offer'>): string =>
  `${offer.providerId}/${plan.model.id}`;

export function metadataOf(
  { head, plan, offer, others }: ServedRequest,
  attempts: readonly AttemptRecord[],
): AnswerMetadata {
  const routing = [...(others?.before ?? []), ...attempts];
  const failover = failoverText({ plan, offer }, routing);
  return {
    request_id: head.requestId,
    requested_model: plan.requestedModel,
    requested_provider: plan.requestedProvider ?? null,
    used_model: plan.model.id,
    used_provider: offer.providerId,
    ...(offer.stability === unlisted && { unlisted: true as const }),
    cached: false,
    routing,
    // An answer of the cache tried nothing.
    ...(routing.length > 0 && untriedOffers(others?.plan ?? plan, routing)),
    ...(failover !== undefined && { failover }),
  };
}

/** `answered by openai after azure and groq failed`, with the models if there were several; `undefined` if none failed. */
function failoverText(served: Pick<ServedRequest, 'plan' | 'offer'>, routing: readonly AttemptRecord[]) {
  const { plan, offer } = served;
  const isOneModel = routing.every(({ model }) => model === plan.model.id);
  const nameOf = ({ provider, model }: Pick<AttemptRecord, 'provider' | 'model'>) =>
    isOneModel ? provider : `${provider}/${model}`;
  const answered = nameOf({ provider: offer.providerId, model: plan.model.id });
  const failed = new Set(routing.map(nameOf));
  failed.delete(answered);
  return failed.size === 0 ? undefined : `answered by ${answered} after ${[...failed].join(' and ')} failed`;
}
