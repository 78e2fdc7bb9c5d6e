import type { Metrics } from './metrics.ts';

/** A process is ready without its store, so readiness does not tell. */
export function showStore(metrics: Metrics, store: { state(): { connected: boolean } }): void {
  metrics.gauge({
    name: 'gateway_store_connected',
    help: '1 while Redis answers; without it limits, caches and health are those of one replica.',
    read: () => Number(store.state().connected),
  });
}
