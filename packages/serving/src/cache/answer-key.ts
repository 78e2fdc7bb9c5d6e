import { createHash } from 'node:crypto';
import type { Plan } from '@tallyport/dispatch';
import { canonicalJson } from './canonical-json.ts';

export interface KeyParts {
  accountId: string;
  /** Everything in the request that affects the answer. */
  request: unknown;
  plan: Plan;
  catalogueVersion: string;
  /** The version of the code. */
  release: string;
}

/** Equal for two requests that may get the same answer, and different for all others. */
export function answerKey({ accountId, request, plan, catalogueVersion, release }: KeyParts): string {
  const parts = {
    // Adapters change with a release, so each release starts with an empty cache.
    release,
    catalogueVersion,
    accountId,
    model: plan.model.id,
    provider: plan.requestedProvider ?? null,
    // When an answer of another provider is acceptable.
    fallback: plan.fallback,
    offers: reachableOffers(plan),
    standIns: plan.standIns?.map(({ requestedModel, model, route }) =>
      route === undefined ? requestedModel : model.id,
    ),
    request,
  };
  return createHash('sha256').update(canonicalJson(parts)).digest('base64url');
}

/** The offers that may answer, regardless of their health: keys of one account may be allowed different ones. */
function reachableOffers({ candidates, excluded }: Plan): string[] {
  const tried = candidates.map(({ offer, ownKey }) => `${offer.providerId}/${offer.modelName}${ownKey ? ' own' : ''}`);
  const spared = excluded.filter(({ reason }) => reason === 'other_provider');
  return [...new Set([...tried, ...spared.map(({ offer }) => `${offer.providerId}/${offer.modelName}`)])].toSorted();
}
