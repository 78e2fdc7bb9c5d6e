import type { GaugeHandle } from './families.ts';
import type { Metrics } from './metrics.ts';

const services = ['chat', 'edge', 'image'] as const;

/** The gauge of this service. All services share one metric, because several may share a process. */
export const inflightRequests = (metrics: Metrics, service: (typeof services)[number]): GaugeHandle =>
  metrics
    .gauge({
      name: 'gateway_inflight_requests',
      help: 'Requests in progress.',
      labels: { service: services },
    })
    .with({ service });
