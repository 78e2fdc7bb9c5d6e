import { type Link, type Listener, serve } from '@tallyport/bus';
import { type Catalogue, catalogService, GatewayError } from '@tallyport/contracts';

/** Settings without memory and chance, so that no test affects the next one. */
export const forgetfulRouting = {
  ROUTING_EXPLORATION: '0',
  ROUTING_HEALTH_WINDOW_MS: '1',
  // Sums of another replica count as new when they arrive, however old they are.
  ROUTING_SHARE_EVERY_MS: '60000',
  ROUTING_BREAKER_VOLUME: '1000000',
  ROUTING_BREAKER_FAILURES_IN_A_ROW: '1000000',
  ROUTING_MAX_COOLDOWN_MS: '0',
  CACHE_TTL_SECONDS: '0',
};

/** Serves a catalogue to services under test; all other operations of catalog-svc fail. */
export function serveCatalogue(link: Link, catalogue: () => Catalogue): Promise<Listener> {
  const absent = () => Promise.reject(new GatewayError('unavailable', 'not here'));
  return serve(link, catalogService, {
    snapshot: catalogue,
    listModels: absent,
    getModel: absent,
    listGeminiModels: absent,
    getGeminiModel: absent,
    priceList: absent,
    setOverride: absent,
    removeOverride: absent,
    listOverrides: absent,
  });
}
