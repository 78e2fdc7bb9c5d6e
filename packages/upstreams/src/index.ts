export { type UpstreamConfig, upstreamConfig } from './config.ts';
export { type RoutingEvents, routingEvents } from './routing-events.ts';
export type { Routing } from './routing.ts';
export { openUpstreams, type Upstreams, type UpstreamsOptions } from './upstreams.ts';
