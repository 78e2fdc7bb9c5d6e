import type { Metrics } from './metrics.ts';

/** A separate metric, because a process is ready without its store and `/readyz` does not show it. */
export function showStore(metrics: Metrics, store: { state(): { connected: boolean } }): void {
  metrics.gauge({
    name: 'gateway_store_connected',
    help: '1 while Redis answers; otherwise limits, caches and health are per replica.',
    read: () => Number(store.state().connected),
  });
}
