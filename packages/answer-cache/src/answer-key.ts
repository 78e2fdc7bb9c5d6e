import { createHash } from 'node:crypto';
import type { Plan } from '@switchyard/dispatch';
import { canonicalJson } from './canonical-json.ts';

export interface KeyParts {
  accountId: string;
  /** Everything in the request that counts. */
  request: unknown;
  plan: Plan;
  /** `X-No-Fallback: true`: an answer of another provider will not do. */
  noFallback: boolean;
  catalogueVersion: string;
  /** Of the code. */
  release: string;
}

/** Equal for two requests that may get the same answer, and for no others. */
export function answerKey({ accountId, request, plan, noFallback, catalogueVersion, release }: KeyParts): string {
  const told = {
    // Adapters change with a release, so each begins with nothing.
    release,
    catalogueVersion,
    accountId,
    noFallback,
    model: plan.model.id,
    provider: plan.requestedProvider ?? null,
    offers: reachableOffers(plan),
    request,
  };
  return createHash('sha256').update(canonicalJson(told)).digest('base64url');
}

/** Who may answer, however they stand now: two keys of one account need not be allowed the same. */
function reachableOffers({ candidates, excluded }: Plan): string[] {
  const tried = candidates.map(({ offer, ownKey }) => `${offer.providerId}/${offer.modelName}${ownKey ? ' own' : ''}`);
  const spared = excluded.filter(({ reason }) => reason === 'other_provider');
  return [...new Set([...tried, ...spared.map(({ offer }) => `${offer.providerId}/${offer.modelName}`)])].toSorted();
}
