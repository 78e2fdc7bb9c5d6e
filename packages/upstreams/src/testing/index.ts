import { type Link, type Listener, serve } from '@switchyard/bus';
import { type Catalogue, catalogService, GatewayError } from '@switchyard/contracts';

/** Settings with which nothing is kept and nothing left to chance: what one test does must not decide what the next meets. */
export const forgetfulRouting = {
  ROUTING_EXPLORATION: '0',
  ROUTING_HEALTH_WINDOW_MS: '1',
  // What another replica reports is new when it arrives, however old.
  ROUTING_SHARE_EVERY_MS: '60000',
  ROUTING_BREAKER_VOLUME: '1000000',
  ROUTING_BREAKER_FAILURES_IN_A_ROW: '1000000',
  ROUTING_MAX_COOLDOWN_MS: '0',
  CACHE_TTL_SECONDS: '0',
};

/** A catalogue for services under test; nothing else of catalog-svc is there. */
export function serveCatalogue(link: Link, catalogue: () => Catalogue): Promise<Listener> {
  const absent = () => Promise.reject(new GatewayError('unavailable', 'not here'));
  return serve(link, catalogService, {
    snapshot: catalogue,
    listModels: absent,
    getModel: absent,
    setOverride: absent,
    removeOverride: absent,
    listOverrides: absent,
  });
}
