import type { GaugeHandle } from './families.ts';
import type { Metrics } from './metrics.ts';

const services = ['chat', 'edge', 'image'] as const;

const name = 'gateway_inflight_requests';

/** The gauge of this service. All services share one metric, because several may share a process. */
export const inflightRequests = (metrics: Metrics, service: (typeof services)[number]): GaugeHandle =>
  metrics
    .gauge({
      name,
      help: 'Requests in progress.',
      labels: { service: services },
    })
    .with({ service });

/** The requests of this process. Where services share it, edge's gauge includes those of the others. */
export const runningRequests = (metrics: Metrics): Promise<number> => metrics.greatest(name);
