export { servedHeaders, type Timing } from './answer/headers.ts';
export { metadataOf, type Served, servedModel } from './answer/served.ts';
export { slicedAnswer } from './answer/sliced.ts';
export { type DispatchConfig, dispatchConfig } from './config.ts';
export { asksNoFallback } from './no-fallback.ts';
export { type RoutingEvents, routingEvents } from './routing-events.ts';
export { type RoutedPath, type RoutingMetrics, routingMetrics } from './routing-metrics.ts';
export type { Routing } from './routing.ts';
export { openUpstreams, type Upstreams, type UpstreamsOptions } from './upstreams.ts';
