import type { ProviderAvailability } from '@tallyport/contracts';
import { ailment, type Standing } from '@tallyport/dispatch';
import type { Routing } from '@tallyport/serving/upstreams';

/** How the providers answer now that can be called with the gateway's own keys, as this replica sees it. */
export function availableProviders({ ground, standings, settings }: AvailableRouting): ProviderAvailability[] {
  const { index, obstacle } = ground();
  const callable = index
    .models()
    .flatMap(({ offers }) => offers)
    .filter(({ providerId }) => obstacle(providerId) === undefined);
  return [...Map.groupBy(callable, ({ providerId }) => providerId)].map(([provider, offers]) => ({
    provider,
    state: stateOf(offers.map(standings.of), settings),
  }));
}

type AvailableRouting = Pick<Routing, 'ground' | 'standings' | 'settings'>;

/** Offers that were not called lately say nothing about their provider. */
function stateOf(offers: readonly Standing[], settings: Routing['settings']): ProviderAvailability['state'] {
  const ill = offers.filter((offer) => offer.breaker !== 'closed' || ailment(offer, settings) !== undefined);
  if (ill.length === 0) return 'operational';
  const answering = offers.filter((offer) => offer.uptime.ratio !== undefined && !isDown(offer));
  return answering.length === 0 && ill.every(isDown) ? 'outage' : 'degraded';
}

const isDown = ({ breaker, uptime: { ratio } }: Standing): boolean =>
  breaker === 'open' || (ratio !== undefined && ratio < 0.5);
