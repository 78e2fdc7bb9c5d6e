import type { GaugeHandle } from './families.ts';
import type { Metrics } from './metrics.ts';

const services = ['chat', 'edge', 'image'] as const;

/** Of this service; one metric of all, since several may share a process. */
export const inflightRequests = (metrics: Metrics, service: (typeof services)[number]): GaugeHandle =>
  metrics
    .gauge({
      name: 'gateway_inflight_requests',
      help: 'Requests being worked on now.',
      labels: { service: services },
    })
    .with({ service });
