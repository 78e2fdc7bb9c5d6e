import type { RoutingSettings } from '../settings.ts';
import type { Standing } from '../standing/standings.ts';
import type { Entrant, Score } from './score.ts';

/** Why a candidate stands where it stands. */
export type CandidateReason =
  /** The lowest score of the healthy ones before which it does not already stand. */
  | 'score'
  /** As good as the best; earlier in the catalogue. */
  | 'tie'
  /** Not the best, but to be known it must be tried now and again. */
  | 'explore'
  /** Its provider was asked for. */
  | 'pinned'
  /** Another provider was asked for, whose uptime is too low. */
  | 'rerouted'
  /** Behind the others: it failed lately and has shown little since, so that only exploration puts it first. */
  | 'probation'
  /** Behind the healthy ones. */
  | 'low_uptime'
  | 'cooldown'
  | 'breaker_open';

export interface ScoredEntrant extends Entrant {
  score: Score;
}

export interface Candidate extends ScoredEntrant {
  reason: CandidateReason;
}

export interface OrderTerms {
  settings: Pick<
    RoutingSettings,
    'healthyUptime' | 'penalisedBelowUptime' | 'probationSamples' | 'exploration' | 'tieMargin'
  >;
  /** From 0 to below 1; decides whether and what to explore. */
  random: number;
  /** The provider the client asked for. */
  pinned: string | undefined;
  /** The client wants it and nothing else. */
  noFallback: boolean;
}

/** Best first. Takes candidates in catalogue order. */
export function orderCandidates(scored: readonly ScoredEntrant[], terms: OrderTerms): Candidate[] {
  const { pinned, settings } = terms;
  if (pinned === undefined) return explored(bySuitability(scored, settings), terms);
  const asked = scored.filter(({ offer }) => offer.providerId === pinned);
  const [best] = bySuitability(asked, settings);
  if (best === undefined) return [];
  const own = bySuitability(asked, settings).map((each) => ({ ...each, reason: reasonUnless(each, 'pinned') }));
  if (terms.noFallback || ailment(best.standing, settings) === undefined) return own;
  const better = scored.filter(
    (each) =>
      each.offer.providerId !== pinned &&
      ailment(each.standing, settings) === undefined &&
      each.standing.uptime.lower > best.standing.uptime.lower,
  );
  return [...bySuitability(better, settings).map((each) => ({ ...each, reason: 'rerouted' as const })), ...own];
}

type Ailment = 'low_uptime' | 'cooldown' | 'breaker_open';

/** From the mildest: in this order they are tried when no better offer answered. */
const places = [undefined, 'probation', 'low_uptime', 'cooldown', 'breaker_open'] as const;

type Place = (typeof places)[number];

/** What keeps an offer from the front; `undefined` for a healthy one. */
export function ailment(
  { breaker, cooldownMs, uptime }: Standing,
  { healthyUptime }: Pick<RoutingSettings, 'healthyUptime'>,
): Ailment | undefined {
  if (breaker === 'open') return 'breaker_open';
  if (cooldownMs > 0) return 'cooldown';
  return uptime.lower < healthyUptime ? 'low_uptime' : undefined;
}

/** Who comes back after a failure comes back by trial requests, not with all traffic at once. */
function placeOf(standing: Standing, settings: OrderTerms['settings']): Place {
  const ailing = ailment(standing, settings);
  if (ailing !== undefined) return ailing;
  const { lower, samples } = standing.uptime;
  return lower < settings.penalisedBelowUptime && samples < settings.probationSamples ? 'probation' : undefined;
}

function bySuitability(scored: readonly ScoredEntrant[], settings: OrderTerms['settings']): Candidate[] {
  const groups = places.flatMap((place) =>
    ownFirst(scored.filter(({ standing }) => placeOf(standing, settings) === place)).map((group) => {
      const sorted = group.toSorted((left, right) => left.score.total - right.score.total);
      return tiesInOrder(sorted, { group, margin: settings.tieMargin, place });
    }),
  );
  return groups.flat();
}

/** Who brings keys wants them used: among equally healthy offers, the service pays only where the account cannot. */
function ownFirst(group: readonly ScoredEntrant[]): (readonly ScoredEntrant[])[] {
  if (!group.some(({ ownKey }) => ownKey)) return [group];
  return [group.filter(({ ownKey }) => ownKey), group.filter(({ ownKey }) => !ownKey)];
}

interface Ties {
  /** In catalogue order. */
  group: readonly ScoredEntrant[];
  margin: number;
  place: Place;
}

/** Only the front seat is worth a tie: behind it the order is by score. */
function tiesInOrder(sorted: readonly ScoredEntrant[], { group, margin, place }: Ties): Candidate[] {
  const [best] = sorted;
  if (best === undefined) return [];
  const first = group.find(({ score }) => score.total <= best.score.total + margin) ?? best;
  const front: Candidate = { ...first, reason: place ?? (first === best ? 'score' : 'tie') };
  const rest = sorted.filter((each) => each !== first);
  return [front, ...rest.map((each) => ({ ...each, reason: place ?? ('score' as const) }))];
}

/** Now and again another healthy offer goes first; one that might fail the request never does. */
function explored(ordered: Candidate[], { settings, random }: OrderTerms): Candidate[] {
  if (random >= settings.exploration) return ordered;
  const [first, ...rest] = ordered;
  const others = rest.filter(
    ({ standing, ownKey }) =>
      ownKey === first?.ownKey && ailment(standing, settings) === undefined && standing.breaker === 'closed',
  );
  const chosen = others[Math.floor((random / settings.exploration) * others.length)];
  if (first === undefined || chosen === undefined) return ordered;
  return [{ ...chosen, reason: 'explore' }, first, ...rest.filter((each) => each !== chosen)];
}

const reasonUnless = ({ reason }: Candidate, otherwise: CandidateReason): CandidateReason =>
  places.some((place) => place === reason) ? reason : otherwise;
