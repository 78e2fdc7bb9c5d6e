import type { BreakerState, ModelIndex, Standings } from '@tallyport/dispatch';
import { type Kit, throttledLog } from '@tallyport/service-kit';
import { offerGauges } from './offer-gauges.ts';

/** Events of a service that calls providers, apart from its requests. */
export interface RoutingEvents {
  /** The breaker of an offer opened, closed or went half open. */
  breakerChanged(offerKey: string, state: BreakerState): void;
  /** Reports the state of all offers, for the gauges. */
  offersSeen(index: ModelIndex, standings: Standings): void;
  catalogueLoaded(index: ModelIndex): void;
  catalogueTrouble(error: unknown): void;
}

export function routingEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): RoutingEvents {
  const warn = throttledLog(log);
  return {
    breakerChanged(offerKey, state) {
      if (state === 'open') log.warn({ offer: offerKey }, 'the breaker of an offer opened');
      else log.info({ offer: offerKey, state }, 'the breaker of an offer changed');
    },
    offersSeen: offerGauges(metrics),
    catalogueLoaded: (index) => log.info({ version: index.version, names: index.names().length }, 'catalogue loaded'),
    catalogueTrouble: (error) => warn('catalogue', { error }, 'the catalogue could not be fetched'),
  };
}
