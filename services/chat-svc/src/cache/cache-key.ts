import { createHash } from 'node:crypto';
import type { Plan } from '@switchyard/dispatch';
import type { ChatRequest } from '@switchyard/wire';
import manifest from '../../package.json' with { type: 'json' };
import { canonicalJson } from './canonical-json.ts';

/**
 * Members that change how an answer is delivered, billed or filed, but not what it says. Whatever is not named here
 * counts: a member nobody has heard of yet makes another request.
 */
export const uncountedMembers: ReadonlySet<string> = new Set([
  // What it was resolved to counts instead.
  'model',
  // Either form is made of the other.
  'stream',
  'stream_options',
  // Labels for the vendor's records and its watch for abuse.
  'metadata',
  'safety_identifier',
  'user',
  // Whether the vendor files the answer: with `true` nothing is cached at all.
  'store',
  // Where and how long the vendor keeps the prompt: a matter of price.
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
]);

export interface KeyParts {
  accountId: string;
  request: ChatRequest;
  plan: Plan;
  /** `X-No-Fallback: true`: an answer of another provider will not do. */
  noFallback: boolean;
  catalogueVersion: string;
}

/** Equal for two requests that may get the same answer, and for no others. */
export function cacheKey({ accountId, request, plan, noFallback, catalogueVersion }: KeyParts): string {
  const counted = Object.entries(request).filter(([name]) => !uncountedMembers.has(name));
  const told = {
    // Adapters change with a release, so each begins with nothing.
    release: manifest.version,
    catalogueVersion,
    accountId,
    noFallback,
    model: plan.model.id,
    provider: plan.requestedProvider ?? null,
    offers: reachableOffers(plan),
    request: Object.fromEntries(counted),
  };
  return createHash('sha256').update(canonicalJson(told)).digest('base64url');
}

/** Who may answer, however they stand now: two keys of one account need not be allowed the same. */
function reachableOffers({ candidates, excluded }: Plan): string[] {
  const tried = candidates.map(({ offer, ownKey }) => `${offer.providerId}/${offer.modelName}${ownKey ? ' own' : ''}`);
  const spared = excluded.filter(({ reason }) => reason === 'other_provider');
  return [...new Set([...tried, ...spared.map(({ offer }) => `${offer.providerId}/${offer.modelName}`)])].toSorted();
}
