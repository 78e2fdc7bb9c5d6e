import { GatewayError, type Model, type Offer, type Principal } from '@tallyport/contracts';
import type { ProviderPreferences } from '@tallyport/wire';
import type { Targets } from '../targets/targets.ts';
import type { Need } from './needs.ts';
import type { Untaken } from './untaken.ts';
import { unmetPreference } from './preferences.ts';

type ExclusionReason = 'not_allowed' | 'not_preferred' | 'other_provider' | 'deactivated' | 'no_access' | 'unsupported';

/** An offer that cannot serve a request, regardless of its health. */
export interface Exclusion {
  offer: Offer;
  reason: ExclusionReason;
  detail: string;
  need?: Need;
  /** The client's error if no other offer remains; derived from `need` when absent. */
  refusal?: GatewayError;
}

export interface Demands extends Pick<Targets, 'obstacle'> {
  needs: readonly Need[];
  /** The member of the request that the offer's provider does not support; `undefined` if it supports all. */
  unsupported?: ((offer: Offer) => string | undefined) | undefined;
  /** Why the offer cannot serve exactly this request, as an error for the client. */
  refusal?: ((offer: Offer) => GatewayError | undefined) | undefined;
  /** The member of the request that the offer's provider would not get, if that matters. */
  untaken?: Untaken | undefined;
  principal?: Principal | undefined;
  preferences?: ProviderPreferences | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

export function exclude(model: Model, offer: Offer, demands: Demands): Exclusion | undefined {
  if (!isAllowed(model, offer, demands.principal)) {
    return { offer, reason: 'not_allowed', detail: 'this key may not use it' };
  }
  const detail = demands.preferences && unmetPreference(offer, demands.preferences);
  if (detail !== undefined) return { offer, reason: 'not_preferred', detail };
  return deactivation(model, offer, demands) ?? unable(model, offer, demands) ?? withoutMember(model, offer, demands);
}

/** The request may require that its provider gets all of its members. */
function withoutMember(model: Model, offer: Offer, { untaken, preferences }: Demands): Exclusion | undefined {
  const member = preferences?.require_parameters === true ? untaken?.(model, offer) : undefined;
  if (member === undefined) return undefined;
  return { offer, reason: 'not_preferred', detail: `provider.require_parameters: ${member}` };
}

function deactivation(model: Model, offer: Offer, { now }: Demands): Exclusion | undefined {
  const at = offer.deactivatedAt ?? model.deactivatedAt;
  return at === undefined || Date.parse(at) > now ? undefined : { offer, reason: 'deactivated', detail: at };
}

/** Why an offer cannot serve the request although the caller may and wants to use it. */
function unable(model: Model, offer: Offer, demands: Demands): Exclusion | undefined {
  const need = unmetNeed(demands.needs, model, offer);
  if (need !== undefined) return { offer, reason: 'unsupported', detail: need.what, need };
  const member = demands.unsupported?.(offer);
  if (member !== undefined) return unsupported(offer, member);
  const refusal = demands.refusal?.(offer);
  if (refusal !== undefined) return { offer, reason: 'unsupported', detail: refusal.message, refusal };
  const obstacle = demands.obstacle(offer.providerId, demands.principal);
  return obstacle === undefined ? undefined : { offer, reason: 'no_access', detail: obstacle };
}

function unmetNeed(needs: readonly Need[], model: Model, offer: Offer): Need | undefined {
  for (const need of needs) if (!need.met(model, offer)) return need;
  return undefined;
}

function unsupported(offer: Offer, param: string): Exclusion {
  const message = ({ id }: Model) => `'${id}' does not support the requested \`${param}\` at ${offer.providerId}.`;
  const need = { param, what: `the requested ${param}`, message, met: () => false };
  return { offer, reason: 'unsupported', detail: `the requested ${param}`, need };
}

/** Whether a key restricted to certain models or providers may use an offer. */
export function isAllowed(model: Model, offer: Offer, principal: Principal | undefined): boolean {
  if (principal === undefined) return true;
  const { allowedModels, allowedProviders } = principal;
  if (allowedProviders !== undefined && !allowedProviders.includes(offer.providerId)) return false;
  if (allowedModels === undefined) return true;
  return allowedModels.includes(model.id) || allowedModels.includes(`${offer.providerId}/${model.id}`);
}

/**
 * The client's error if every offer is excluded. The exclusion that is easiest to fix decides. What is wrong with an offer
 * that could be called precedes keys that are missing for others.
 */
export function noOfferLeft(
  model: Model,
  excluded: readonly Exclusion[],
  { obstacle, principal }: Pick<Demands, 'obstacle' | 'principal'>,
): GatewayError {
  const first = (reason: ExclusionReason, among = excluded) => among.find((exclusion) => exclusion.reason === reason);
  const callable = excluded.filter(({ offer }) => obstacle(offer.providerId, principal) === undefined);
  if (first('not_preferred', callable) !== undefined) return nonePreferred(model, excluded);
  const misfit = first('unsupported', callable);
  if (misfit !== undefined) return withObstacles(misfitError(misfit, model), excluded);
  if (first('no_access') !== undefined) return noneCallable(model, excluded);
  if (first('not_preferred') !== undefined) return nonePreferred(model, excluded);
  const unreached = first('unsupported');
  if (unreached !== undefined) return misfitError(unreached, model);
  if (first('not_allowed') !== undefined) {
    return new GatewayError('permission_denied', `This API key may not use '${model.id}'.`, { param: 'model' });
  }
  return gone(model, first('deactivated')?.detail ?? model.deactivatedAt ?? 'now');
}

function misfitError({ refusal, need, detail }: Exclusion, model: Model): GatewayError {
  if (refusal !== undefined) return refusal;
  const { param = 'model', code = 'unsupported_capability', message } = need ?? {};
  const text = message?.(model) ?? `'${model.id}' does not support ${detail} (\`${param}\`).`;
  return new GatewayError(code, text, { param });
}

/** The offers without access would serve the request. */
function withObstacles(error: GatewayError, excluded: readonly Exclusion[]): GatewayError {
  const obstacles = obstaclesIn(excluded);
  if (obstacles === '') return error;
  const message = `${error.message} Providers that could serve it are not available: ${obstacles}.`;
  return new GatewayError(error.code, message, { ...error, cause: error.cause });
}

function noneCallable({ id }: Model, excluded: readonly Exclusion[]): GatewayError {
  const message = `No provider of '${id}' is available: ${obstaclesIn(excluded)}.`;
  return new GatewayError('invalid_parameters', message, { param: 'model' });
}

function obstaclesIn(excluded: readonly Exclusion[]): string {
  const obstacles = excluded.filter(({ reason }) => reason === 'no_access').map(({ detail }) => detail);
  return [...new Set(obstacles)].join('; ');
}

function nonePreferred({ id }: Model, excluded: readonly Exclusion[]): GatewayError {
  const each = excluded.map(({ offer, detail }) => `${offer.providerId} (${detail})`).join(', ');
  const message = `No offer of '${id}' meets the preferences of the request: ${each}.`;
  return new GatewayError('invalid_parameters', message, { param: 'provider' });
}

function gone({ id, replacement }: Model, since: string): GatewayError {
  const instead = replacement === undefined ? '' : ` Use '${replacement}' instead.`;
  return new GatewayError('model_not_found', `'${id}' has not been offered since ${since}.${instead}`, {
    param: 'model',
  });
}
