import {
  GatewayError,
  type LoadedRoute,
  type Model,
  type Offer,
  type Principal,
  withUntried,
} from '@tallyport/contracts';
import type { AccountTargets } from '../targets/account-targets.ts';
import type { RoutingSettings } from '../settings.ts';
import type { Standing } from '../standing/standings.ts';
import type { Targets } from '../targets/targets.ts';
import { type Demands, type Exclusion, exclude, noOfferLeft } from './exclude.ts';
import type { Fallback } from './fallback.ts';
import type { ModelIndex } from './model-index.ts';
import type { Need } from './needs.ts';
import { type Candidate, orderCandidates } from './order.ts';
import { resolveModel } from './resolve.ts';
import type { ProviderPreferences } from '@tallyport/wire';
import { type PlanWeights, weightsOf } from './plan-weights.ts';
import { byPreferences, settingsFor, sortedBy } from './preferences.ts';
import { type Entrant, scoreAll } from './score.ts';
import type { Untaken } from './untaken.ts';
import { triedBefore } from './tried-before.ts';
import { type PassedOver, untriedOffers } from './untried.ts';
import { assumedStanding, type WhatIfs } from './what-if.ts';

export interface PlanQuestion {
  /** `model` as the client wrote it. */
  model: string;
  needs: readonly Need[];
  /** The member of the request that an offer's provider does not support. See `unsupportedByOffer`. */
  unsupported?: ((offer: Offer) => string | undefined) | undefined;
  /** Why an offer cannot serve exactly this request, as an error for the client. */
  refusal?: ((offer: Offer) => GatewayError | undefined) | undefined;
  /** The member of the request that an offer's provider would not get. See `untakenOfChat`. */
  untaken?: Untaken | undefined;
  /** Offers that have their turn already. */
  tried?: ReadonlySet<Offer> | undefined;
  principal?: Principal | undefined;
  /** What the client asks for; `undefined`: the setting decides. See `askedFallback`. */
  fallback: Fallback | undefined;
  streaming?: boolean | undefined;
  preferences?: ProviderPreferences | undefined;
  /** The offer that has the prompt cached, by its key. */
  cachedAt?: string | undefined;
  /** The price in USD to compare offers by; that of a typical chat when absent. */
  priceOf?: ((offer: Offer) => number | undefined) | undefined;
}

/** What a plan depends on besides the question. */
export interface PlanGround extends Pick<Targets, 'obstacle'> {
  index: ModelIndex;
  /** For an account with its own provider keys: which providers it can call, and how. */
  account?: AccountTargets | undefined;
  /** The current standing of an offer. */
  standing(offer: Offer): Standing;
  settings: RoutingSettings;
  maxAttempts: number;
  /** From 0 to below 1: the random number for exploration. */
  random: number;
  /** Milliseconds since 1970. */
  now: number;
  /** For explanations. */
  whatIfs?: WhatIfs | undefined;
}

/** The same, for a plan that no chance changes. */
export const withoutExploring = <Ground extends PlanGround>(ground: Ground): Ground => ({ ...ground, random: 1 });

export interface Plan {
  model: Model;
  /** The version of the catalogue that the offers and their prices are from. */
  priceVersion: string;
  requestedModel: string;
  requestedProvider: string | undefined;
  /** When another offer than the first may answer. */
  fallback: Fallback;
  /** Best first. Never empty. */
  candidates: readonly Candidate[];
  /** Offers that are not tried, and why. */
  excluded: readonly Exclusion[];
  maxAttempts: number;
  weights: PlanWeights;
  /** The account's own keys to use; the service's keys are used when absent. */
  account?: AccountTargets;
  /** The plans of the models that stand in for this one, in their order. */
  standIns?: readonly Plan[];
  /** Further models of the request, which cannot serve it. */
  passedOver?: readonly PassedOver[];
  /** The named route that led to this model. */
  route?: PlannedRoute;
}

export interface PlannedRoute {
  name: string;
  /** The operator's routes are the same for all accounts. */
  owner: 'account' | 'operator';
  /** The model as the route names it, such as `openai/gpt-6-luna`. */
  target: string;
  /** Why the model has its place in the route. */
  reason: string;
  route: LoadedRoute;
}

/**
 * Plans which offers to try, in which order, and why. Pure. Throws GatewayError if no offer remains: the model is
 * unknown or not allowed, no provider key is configured, or no offer supports the request.
 */
export function planChat(question: PlanQuestion, ground: PlanGround): Plan {
  const { model, providerId: pinned } = resolveModel(question.model, ground.index);
  const { entrants, excluded } = enter(model, question, ground);
  const isRequested = (offer: Offer) => pinned === undefined || offer.providerId === pinned;
  if (!entrants.some(({ offer }) => isRequested(offer))) {
    const left = excluded.filter(({ offer }) => isRequested(offer));
    const error = noOfferLeft(model, left, { ...(ground.account ?? ground), principal: question.principal });
    throw withUntried(error, untriedOffers({ model, candidates: [], excluded: left }, []));
  }
  const { maxAttempts, account } = ground;
  const fallback = fallbackOf(question, pinned, ground.settings);
  const weights = weightsOf(question, ground.settings);
  const candidates = candidatesOf(entrants, question, { ground, weights, pinned, fallback });
  return {
    model,
    priceVersion: ground.index.version,
    requestedModel: question.model,
    requestedProvider: pinned,
    fallback,
    candidates,
    excluded: pinned === undefined ? excluded : [...excluded, ...notRequested(pinned, entrants, candidates)],
    maxAttempts: fallback === 'never' || isOnlyFirst(question.preferences) ? 1 : maxAttempts,
    weights,
    ...(account && { account }),
  };
}

interface OrderGround {
  ground: PlanGround;
  weights: PlanWeights;
  pinned: string | undefined;
  fallback: Fallback;
}

function candidatesOf(
  entrants: readonly Entrant[],
  { streaming = false, priceOf, cachedAt, preferences }: PlanQuestion,
  { ground, weights, pinned, fallback }: OrderGround,
): Candidate[] {
  const { random, whatIfs } = ground;
  const settings = preferences === undefined ? ground.settings : settingsFor(ground.settings, preferences);
  const by = preferences && sortedBy(preferences);
  const scores = scoreAll(entrants, {
    weights: weights.values,
    settings,
    streaming: streaming || by === 'latency',
    priceOf,
    whatIfs,
  });
  const scored = entrants.map((entrant, at) => ({ ...entrant, score: scoreAt(scores, at) }));
  const kept = by === undefined ? cachedAt : undefined;
  const ordered = orderCandidates(scored, { settings, random, pinned, fallback, cachedAt: kept });
  return preferences === undefined ? ordered : byPreferences(ordered, preferences);
}

const isOnlyFirst = (preferences: ProviderPreferences | undefined): boolean =>
  preferences?.allow_fallbacks === false && preferences.order == null;

/** The models that could serve a request besides its own one, in catalogue order. */
export const modelsFor = (question: PlanQuestion, ground: PlanGround): readonly Model[] =>
  ground.index.models().filter((model) => enter(model, question, ground).entrants.length > 0);

/** Without a prefix, any failure moves a request on. */
function fallbackOf(
  { fallback }: PlanQuestion,
  pinned: string | undefined,
  { prefixFallback }: RoutingSettings,
): Fallback {
  if (fallback === 'never') return 'never';
  return pinned === undefined ? 'any-failure' : (fallback ?? prefixFallback);
}

function enter(model: Model, question: PlanQuestion, ground: PlanGround) {
  const { needs, unsupported, untaken, principal, preferences } = question;
  const refusal = (offer: Offer) => triedBefore(offer, question.tried) ?? question.refusal?.(offer);
  const { account, now } = ground;
  const { obstacle } = account ?? ground;
  const demands: Demands = { needs, unsupported, refusal, untaken, principal, preferences, obstacle, now };
  const entrants: Entrant[] = [];
  const excluded: Exclusion[] = [];
  for (const offer of model.offers) {
    const exclusion = exclude(model, offer, demands);
    if (exclusion !== undefined) excluded.push(exclusion);
    else entrants.push(entrantOf(offer, ground));
  }
  return { entrants, excluded };
}

function entrantOf(offer: Offer, ground: PlanGround): Entrant {
  const standing = standingOf(offer, ground);
  return ground.account?.hasOwnKey(offer.providerId) === true ? { offer, standing, ownKey: true } : { offer, standing };
}

function standingOf(offer: Offer, { standing, whatIfs }: PlanGround): Standing {
  const whatIf = whatIfs?.get(offer.providerId);
  return whatIf === undefined ? standing(offer) : assumedStanding(standing(offer), whatIf);
}

function notRequested(pinned: string, entrants: Entrant[], candidates: Candidate[]): Exclusion[] {
  const left = entrants.filter(({ offer }) => candidates.every((candidate) => candidate.offer !== offer));
  return left.map(({ offer }) => ({ offer, reason: 'other_provider', detail: `${pinned} was requested` }));
}

function scoreAt<Score>(scores: readonly Score[], at: number): Score {
  const score = scores[at];
  if (score !== undefined) return score;
  throw new GatewayError('internal_error', 'Something went wrong on our side. Try again.');
}
