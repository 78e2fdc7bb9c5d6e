import { badge, type Html, type Tone } from '@tallyport/pages';
import type { OfferStanding } from '../gateway/offer-standing.ts';

/** How a provider does now, over all its offers. */
export interface ProviderState {
  kind: 'healthy' | 'degraded' | 'open' | 'unreachable';
  /** In words, with what is missing. */
  text: string;
  lastError: { type: string; at: string } | undefined;
}

export function providerState(offers: readonly OfferStanding[]): ProviderState {
  const callable = offers.filter(({ obstacle }) => obstacle === null);
  const [lastError] = offers
    .flatMap(({ last_error: error }) => error ?? [])
    .toSorted((one, other) => (one.at < other.at ? 1 : -1));
  return { ...stateOfOffers(callable, offers[0]?.obstacle ?? 'it has no offers'), lastError };
}

function stateOfOffers(callable: readonly OfferStanding[], obstacle: string): Pick<ProviderState, 'kind' | 'text'> {
  if (callable.length === 0) return { kind: 'unreachable', text: obstacle };
  const open = callable.filter(({ breaker }) => breaker !== 'closed').length;
  if (open > 0) return { kind: 'open', text: `breaker open for ${open} of ${modelsText(callable.length)}` };
  const ill = callable.filter(({ healthy }) => !healthy).length;
  if (ill > 0) return { kind: 'degraded', text: `${ill} of ${modelsText(callable.length)} avoided` };
  return { kind: 'healthy', text: modelsText(callable.length) };
}

const modelsText = (count: number): string => `${count} ${count === 1 ? 'model' : 'models'}`;

const marks: Readonly<Record<ProviderState['kind'], [text: string, tone: Tone]>> = {
  healthy: ['healthy', 'good'],
  degraded: ['degraded', 'warn'],
  open: ['breaker open', 'bad'],
  unreachable: ['no key', 'plain'],
};

export const stateBadge = (kind: ProviderState['kind']): Html => badge(...marks[kind]);
