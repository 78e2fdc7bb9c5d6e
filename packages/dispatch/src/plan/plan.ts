import { GatewayError, type Model, type Offer, type Principal } from '@switchyard/contracts';
import type { ModelIndex } from './model-index.ts';
import type { Need } from './needs.ts';
import { resolveModel } from './resolve.ts';

export interface PlanQuestion {
  /** `model` as the client wrote it. */
  model: string;
  needs: readonly Need[];
  principal?: Principal | undefined;
  /** `X-No-Fallback: true`. */
  noFallback: boolean;
}

/** What the plan is made from besides the question. */
export interface PlanGround {
  index: ModelIndex;
  /** Why a provider cannot be called, such as a missing key; `undefined` when it can. */
  obstacle(providerId: string): string | undefined;
  maxAttempts: number;
  /** Milliseconds since 1970. */
  now: number;
}

export interface Candidate {
  offer: Offer;
  /** Why it stands where it stands. */
  reason: 'catalogue_order' | 'pinned';
}

export type ExclusionReason = 'not_allowed' | 'other_provider' | 'deactivated' | 'no_access' | 'unsupported';

export interface Exclusion {
  offer: Offer;
  reason: ExclusionReason;
  detail: string;
  need?: Need;
}

export interface Plan {
  model: Model;
  requestedModel: string;
  requestedProvider: string | undefined;
  /** Best first. Never empty. */
  candidates: readonly Candidate[];
  excluded: readonly Exclusion[];
  maxAttempts: number;
}

/**
 * Which offers to try and in which order. Throws GatewayError when there is none: unknown, not allowed, no key, or
 * nothing that can do what is asked.
 */
export function planChat(question: PlanQuestion, ground: PlanGround): Plan {
  const { model, providerId } = resolveModel(question.model, ground.index);
  const candidates: Candidate[] = [];
  const excluded: Exclusion[] = [];
  for (const offer of model.offers) {
    const exclusion = exclude(offer, { model, providerId, question, ground });
    if (exclusion !== undefined) excluded.push(exclusion);
    else candidates.push({ offer, reason: providerId === undefined ? 'catalogue_order' : 'pinned' });
  }
  if (candidates.length === 0) throw nothingLeft(model, excluded);
  const maxAttempts = question.noFallback ? 1 : ground.maxAttempts;
  return {
    model,
    requestedModel: question.model,
    requestedProvider: providerId,
    candidates,
    excluded,
    maxAttempts,
  };
}

interface Circumstances {
  model: Model;
  providerId: string | undefined;
  question: PlanQuestion;
  ground: PlanGround;
}

function exclude(offer: Offer, { model, providerId, question, ground }: Circumstances): Exclusion | undefined {
  if (providerId !== undefined && offer.providerId !== providerId) {
    return { offer, reason: 'other_provider', detail: `${providerId} was asked for` };
  }
  if (!isAllowed(model, offer, question.principal)) {
    return { offer, reason: 'not_allowed', detail: 'this key may not use it' };
  }
  const deactivatedAt = offer.deactivatedAt ?? model.deactivatedAt;
  if (deactivatedAt !== undefined && Date.parse(deactivatedAt) <= ground.now) {
    return { offer, reason: 'deactivated', detail: deactivatedAt };
  }
  const need = question.needs.find((each) => !each.met(model, offer));
  if (need !== undefined) return { offer, reason: 'unsupported', detail: need.what, need };
  const obstacle = ground.obstacle(offer.providerId);
  return obstacle === undefined ? undefined : { offer, reason: 'no_access', detail: obstacle };
}

function isAllowed(model: Model, offer: Offer, principal: Principal | undefined): boolean {
  const { allowedModels, allowedProviders } = principal ?? {};
  if (allowedProviders !== undefined && !allowedProviders.includes(offer.providerId)) return false;
  if (allowedModels === undefined) return true;
  return allowedModels.includes(model.id) || allowedModels.includes(`${offer.providerId}/${model.id}`);
}

/** The exclusion that is easiest to mend tells the client what to do. */
function nothingLeft(model: Model, excluded: readonly Exclusion[]): GatewayError {
  const first = (reason: ExclusionReason) => excluded.find((exclusion) => exclusion.reason === reason);
  const noAccess = first('no_access');
  if (noAccess !== undefined) {
    const details = [...new Set(excluded.filter(({ reason }) => reason === 'no_access').map(({ detail }) => detail))];
    const message = `No provider of '${model.id}' can be called: ${details.join('; ')}.`;
    return new GatewayError('invalid_parameters', message, { param: 'model' });
  }
  const unsupported = first('unsupported');
  if (unsupported?.need !== undefined) {
    const { param, what } = unsupported.need;
    const message = `'${model.id}' cannot do what \`${param}\` asks for: ${what}.`;
    return new GatewayError('unsupported_capability', message, { param });
  }
  if (first('not_allowed') !== undefined) {
    return new GatewayError('permission_denied', `This API key may not use '${model.id}'.`, { param: 'model' });
  }
  const since = first('deactivated')?.detail ?? 'now';
  return new GatewayError('model_not_found', `'${model.id}' is no longer offered since ${since}.`, { param: 'model' });
}
