import type { RoutingSettings } from '../settings.ts';
import { offerKey, type Standing } from '../standing/standings.ts';
import type { Fallback } from './fallback.ts';
import type { Entrant, Score } from './score.ts';

/** Why a candidate has its place in the order. */
export type CandidateReason =
  /** The lowest score among the healthy offers that remain. */
  | 'score'
  /** As good as the best within the margin, and earlier in the catalogue. */
  | 'tie'
  /** Not the best, but tried first occasionally to keep its measurements current. */
  | 'explore'
  /** It served this conversation before and has its prompt cached. */
  | 'affinity'
  /** The client requested its provider. */
  | 'pinned'
  /** The client requested another provider, whose uptime is too low. */
  | 'rerouted'
  /** The client listed its provider in `provider.order`. */
  | 'preferred'
  /** It is slower than the client prefers. */
  | 'slow'
  /** The client requested another provider, and is answered by this one if that fails. */
  | 'fallback'
  /** First as a trial: it failed, and would have this place without its failures. */
  | 'trial'
  /** Behind the healthy offers: it failed, and no further trial request may start now. */
  | 'recovering'
  /** Behind the healthy offers. */
  | 'low_uptime'
  | 'cooldown'
  | 'breaker_open';

interface ScoredEntrant extends Entrant {
  score: Score;
}

export interface Candidate extends ScoredEntrant {
  reason: CandidateReason;
}

interface OrderTerms {
  settings: Pick<RoutingSettings, 'healthyUptime' | 'exploration' | 'tieMargin'>;
  /** From 0 to below 1; decides whether to explore, and which offer. */
  random: number;
  /** The provider that the client requested. */
  pinned: string | undefined;
  /** When the client accepts another provider than the one that it requested. */
  fallback: Fallback;
  /** The offer that has the prompt cached, by its key. */
  cachedAt: string | undefined;
}

/** Orders candidates, best first. Expects them in catalogue order. */
export function orderCandidates(scored: readonly ScoredEntrant[], terms: OrderTerms): Candidate[] {
  const { pinned } = terms;
  if (pinned === undefined) return explored(cachedFirst(withTrial(scored, terms.settings), terms), terms);
  const isRequested = ({ offer }: ScoredEntrant) => offer.providerId === pinned;
  const others = scored.filter((each) => !isRequested(each));
  return requestedFirst(scored.filter(isRequested), others, terms);
}

/** The offers of the requested provider, with those of others before and behind them as far as the client accepts. */
function requestedFirst(
  requested: readonly ScoredEntrant[],
  others: readonly ScoredEntrant[],
  { fallback, settings }: OrderTerms,
): Candidate[] {
  const suitable = bySuitability(requested, settings);
  const [best] = suitable;
  if (best === undefined) return [];
  const own = suitable.map((each) => ({ ...each, reason: reasonUnless(each, 'pinned') }));
  if (fallback === 'never') return own;
  const isIll = ailment(best.standing, settings) !== undefined;
  const healthy = isIll ? others.filter(({ standing }) => ailment(standing, settings) === undefined) : [];
  const rerouted = bySuitability(healthy, settings).map((each) => ({ ...each, reason: 'rerouted' as const }));
  const rest = fallback === 'any-failure' ? others.filter((each) => !healthy.includes(each)) : [];
  const behind = bySuitability(rest, settings).map((each) => ({ ...each, reason: reasonUnless(each, 'fallback') }));
  if (!isIll || !mayTry(best)) return [...rerouted, ...own, ...behind];
  return [{ ...best, reason: 'trial' }, ...rerouted, ...own.slice(1), ...behind];
}

type Ailment = 'low_uptime' | 'cooldown' | 'breaker_open';

/** From best to worst: offers in one place are tried after all offers in the places before it. */
const places = [undefined, 'recovering', 'low_uptime', 'cooldown', 'breaker_open'] as const;

type Place = (typeof places)[number];

/** What keeps an offer from being tried first; `undefined` if it is healthy. */
export function ailment(
  { breaker, cooldownMs, uptime }: Standing,
  { healthyUptime }: Pick<RoutingSettings, 'healthyUptime'>,
): Ailment | undefined {
  if (breaker === 'open') return 'breaker_open';
  if (cooldownMs > 0) return 'cooldown';
  return uptime.lower < healthyUptime ? 'low_uptime' : undefined;
}

/** After a failure an offer recovers through trial requests instead of getting all traffic back at once. */
const placeOf = (standing: Standing, settings: OrderTerms['settings']): Place =>
  ailment(standing, settings) ?? (standing.recovery === undefined ? undefined : 'recovering');

/** Whether an offer that failed may get a trial request now. A requested pause comes first. */
const mayTry = ({ standing: { recovery, cooldownMs } }: ScoredEntrant): boolean =>
  recovery?.mayTry === true && cooldownMs === 0;

/** Puts an offer that may get a trial request first, if it would be first without its failures. */
function withTrial(scored: readonly ScoredEntrant[], settings: OrderTerms['settings']): Candidate[] {
  if (scored.length === 1 || !scored.some(mayTry)) return bySuitability(scored, settings);
  const contenders = scored.flatMap((each) => {
    if (mayTry(each)) return { ...each, tried: each, score: { ...each.score, total: totalWithoutUptime(each.score) } };
    return placeOf(each.standing, settings) === undefined ? { ...each, tried: undefined } : [];
  });
  const [group = []] = ownFirst(contenders);
  const trial = firstOf(group, settings.tieMargin)?.tried;
  if (trial === undefined) return bySuitability(scored, settings);
  const others = scored.filter((each) => each !== trial);
  return [{ ...trial, reason: 'trial' }, ...bySuitability(others, settings)];
}

/** The score of an offer as good as the best one. */
const totalWithoutUptime = ({ total, penalty, factors: { uptime } }: Score): number =>
  total - penalty - (uptime === undefined ? 0 : uptime.weight * (uptime.ratio - 1));

function bySuitability(scored: readonly ScoredEntrant[], settings: OrderTerms['settings']): Candidate[] {
  const [only] = scored;
  if (scored.length === 1 && only !== undefined) {
    return [{ ...only, reason: placeOf(only.standing, settings) ?? 'score' }];
  }
  const byPlace = Map.groupBy(scored, ({ standing }) => placeOf(standing, settings));
  const ordered: Candidate[] = [];
  for (const place of places) {
    const atPlace = byPlace.get(place);
    if (atPlace === undefined) continue;
    for (const group of ownFirst(atPlace)) {
      const sorted = group.toSorted((left, right) => left.score.total - right.score.total);
      ordered.push(...tiesInOrder(sorted, { group, margin: settings.tieMargin, place }));
    }
  }
  return ordered;
}

/** Prefers offers with the account's own keys, so that among equally healthy offers the service pays last. */
function ownFirst<Entry extends ScoredEntrant>(group: readonly Entry[]): (readonly Entry[])[] {
  if (!group.some(({ ownKey }) => ownKey)) return [group];
  return [group.filter(({ ownKey }) => ownKey), group.filter(({ ownKey }) => !ownKey)];
}

interface Ties {
  /** In catalogue order. */
  group: readonly ScoredEntrant[];
  margin: number;
  place: Place;
}

/** The first of a group in the order of the catalogue whose score is within the margin of the best. */
function firstOf<Entry extends ScoredEntrant>(group: readonly Entry[], margin: number): Entry | undefined {
  const best = Math.min(...group.map(({ score }) => score.total));
  return group.find(({ score }) => score.total <= best + margin);
}

/** Ties matter only for the first place; the others are ordered by score. */
function tiesInOrder(sorted: readonly ScoredEntrant[], { group, margin, place }: Ties): Candidate[] {
  const [best] = sorted;
  const first = firstOf(group, margin);
  if (best === undefined || first === undefined) return [];
  const front: Candidate = { ...first, reason: place ?? (first === best ? 'score' : 'tie') };
  const rest = sorted.filter((each) => each !== first);
  return [front, ...rest.map((each) => ({ ...each, reason: place ?? ('score' as const) }))];
}

/** Puts the offer that has the prompt cached first, unless it fails or an account's own key comes before it. */
function cachedFirst(ordered: Candidate[], { settings, cachedAt }: OrderTerms): Candidate[] {
  const [first] = ordered;
  if (cachedAt === undefined || first?.standing.recovery?.state === 'away') return ordered;
  const cached = ordered.find(
    ({ offer, standing, ownKey }) =>
      offerKey(offer) === cachedAt &&
      ownKey === first?.ownKey &&
      placeOf(standing, settings) === undefined &&
      standing.breaker === 'closed',
  );
  if (cached === undefined) return ordered;
  return [{ ...cached, reason: 'affinity' }, ...ordered.filter((each) => each !== cached)];
}

/** Occasionally puts another healthy offer first, never one that is likely to fail. */
function explored(ordered: Candidate[], { settings, random }: OrderTerms): Candidate[] {
  if (random >= settings.exploration) return ordered;
  const [first, ...rest] = ordered;
  const others = rest.filter(
    ({ standing, ownKey }) =>
      ownKey === first?.ownKey && placeOf(standing, settings) === undefined && standing.breaker === 'closed',
  );
  const chosen = others[Math.floor((random / settings.exploration) * others.length)];
  if (first === undefined || chosen === undefined) return ordered;
  return [{ ...chosen, reason: 'explore' }, first, ...rest.filter((each) => each !== chosen)];
}

/** Whether an offer has its place behind the healthy ones. */
export const isPutBehind = (reason: CandidateReason): boolean => places.some((place) => place === reason);

const reasonUnless = ({ reason }: Candidate, otherwise: CandidateReason): CandidateReason =>
  isPutBehind(reason) ? reason : otherwise;
