import type { Offer } from '@tallyport/contracts';
import type { ProviderPreferences } from '@tallyport/wire';
import type { RoutingSettings } from '../settings.ts';
import { type Candidate, isPutBehind } from './order.ts';

/** The member of the preferences that an offer does not meet; `undefined` if it meets all. */
export const unmetPreference = (offer: Offer, preferences: ProviderPreferences): string | undefined =>
  unmetName(offer, preferences) ?? unmetPrice(offer, preferences);

function unmetName({ providerId }: Offer, preferences: ProviderPreferences): string | undefined {
  const { only, ignore, order, allow_fallbacks: mayFallBack } = preferences;
  if (only?.includes(providerId) === false) return 'provider.only';
  if (ignore?.includes(providerId)) return 'provider.ignore';
  return mayFallBack === false && order?.includes(providerId) === false ? 'provider.allow_fallbacks' : undefined;
}

function unmetPrice({ pricing }: Offer, { max_price: most }: ProviderPreferences): string | undefined {
  for (const kind of priceKinds) {
    const limit = most?.[kind];
    if (limit == null) continue;
    if (kind === 'image' && isByTokens(pricing)) return 'provider.max_price.image: its images are priced by tokens';
    const price = Number(pricing[kind] ?? 0) * unitsOf[kind];
    if (price > limit) return `provider.max_price.${kind}: ${shown(price)} > ${limit}`;
  }
  return undefined;
}

/** How many tokens an image takes is not known in advance. */
const isByTokens = (pricing: Offer['pricing']): boolean =>
  pricing.image === undefined && pricing.image_output !== undefined;

const unitsOf = { prompt: 1_000_000, completion: 1_000_000, request: 1, image: 1 } as const;
export const priceKinds = ['prompt', 'completion', 'request', 'image'] as const;

export type PriceKind = (typeof priceKinds)[number];

/** Without the last digits of binary fractions. */
const shown = (price: number): number => Number(price.toPrecision(12));

/** The settings with which offers are put in order: without exploration and, if the client sorts them, without ties. */
export const settingsFor = (settings: RoutingSettings, preferences: ProviderPreferences): RoutingSettings =>
  sortedBy(preferences) === undefined ? { ...settings, exploration: 0 } : { ...settings, exploration: 0, tieMargin: 0 };

export const sortedBy = ({ sort }: ProviderPreferences) => (typeof sort === 'string' ? sort : sort?.by);

/** Puts the providers of `order` first, and offers that are slower than preferred behind; never a failing one first. */
export function byPreferences(candidates: readonly Candidate[], preferences: ProviderPreferences): Candidate[] {
  const { order } = preferences;
  const ranked = candidates.map((candidate): Ranked => {
    const at = order?.indexOf(candidate.offer.providerId) ?? -1;
    if (isPutBehind(candidate.reason)) return { candidate, rank: last + 1 };
    if (at >= 0) return { candidate: { ...candidate, reason: 'preferred' }, rank: at };
    if (!isSlowerThanPreferred(candidate, preferences)) return { candidate, rank: last - 1 };
    return { candidate: { ...candidate, reason: 'slow' }, rank: last };
  });
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ candidate }) => candidate);
}

interface Ranked {
  candidate: Candidate;
  /** The lowest is tried first. */
  rank: number;
}

/** Above every place in `order`. */
const last = 1_000;

/** With fewer samples nothing is known. */
const leastSamples = 1;

function isSlowerThanPreferred(
  { standing: { throughput, latency } }: Candidate,
  { preferred_min_throughput: least, preferred_max_latency: longest }: ProviderPreferences,
): boolean {
  if (least != null && throughput.samples >= leastSamples && throughput.mean < least) return true;
  return longest != null && latency.samples >= leastSamples && latency.mean > longest * 1_000;
}
